import Testing
import TextLayout

@testable import Feeds

/// An unclosed element in a post's HTML hides nothing of the post.
@Suite struct UnclosedHTMLTests {
  private static func plain(_ html: String) -> String {
    var post = Post(id: "1")
    HTMLReader.read(html, base: "https://x.example/").fill(&post)
    return post.body.plainText
  }

  @Test(arguments: [
    "<title>", "<style>", "<style type='text/css'>", "<STYLE>", "<script>", "<script src='/a.js'>",
    "<textarea>", "<noscript>", "<template>", "<iframe src='/f'>", "<iframe>", "<!--", "<!-- ",
    "<![CDATA[", "<head>", "<select>", "<select><option>", "<select><option>a<option>", "<svg>",
    "<svg><path d='M0'/>", "<option>", "<button>", "<map name='m'>", "<canvas>", "<noframes>",
    "<noembed>", "<object data='/o.pdf'>", "<video src='/v.mp4'>",
    "<video><source src='/v.mp4'><source src='/v.ogg'>", "<audio src='/a.mp3' controls>", "<rp>",
    "<ruby>漢<rp>", "<head><title>", "<style><script>", "<!-- a --><!--",
    "<script></script><script>",
    "<svg><svg></svg>", "<template><template></template>", "<datalist><option>", "<xmp>",
    "<div hidden>", "<span hidden=''>", "<section HIDDEN><section>", "<x-tide hidden>",
    "<div hidden><div hidden></div>", "<a href=\"/x>", "<a title='x>", "<img alt=\"x>",
    "<div hidden data-x=\"y>", "<style media=\"print>",
  ])
  func laterTextShows(start: String) {
    for wrapped in [
      "<p>Before</p>\(start)<p>After the pier</p>", "Before \(start) After the pier",
      "<div>Before<div>\(start)</div><p>After</p> the pier",
    ] {
      let shown = Self.plain(wrapped).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(shown.contains("Before"), "\(wrapped)")
      #expect(shown.contains("After the pier"), "\(wrapped): \(shown)")
      // The source's form is unchanged.
      let source = HTMLReader.read(wrapped, base: nil, as: .source)
      #expect(source.source == .html(wrapped.replacing("='/", with: "='/")))
    }
    let whole = HTMLReader.read("\(start)After the pier", base: nil, as: .source)
    #expect(whole.source?.isEmpty == false)
  }

  /// Pictures after the element are found as well.
  @Test(arguments: ["<style>", "<script>", "<!--", "<title>", "<iframe src='/f'>", "<svg>"])
  func laterPicturesAreFound(start: String) {
    for form in [ContentForm.styled, .source] {
      let content = HTMLReader.read(
        "a\(start)<p><img src='https://x.example/p.jpg'>", base: nil, as: form)
      #expect(content.pictures.map(\.url) == ["https://x.example/p.jpg"], "\(form)")
    }
  }

  /// Closed elements still hide their content.
  @Test(arguments: [
    "a<style>p{}</style>b", "a<script>'<style>'</script>b", "a<!-- <style> -->b", "a<!---->b",
    "a<title>x</title>b", "a<textarea>x</textarea>b", "a<template>x<p>y</p></template>b",
    "a<svg><title>x</title><text>y</text></svg>b", "a<select><option>x<option>y</select>b",
    "a<button>x</button>b", "a<!-- x --!>b", "a<!-->b", "a<!--->b",
    "a<script>if (a<b) '<!--'</script>b", "a<STYLE>x</Style >b", "a<title>x</title\n>b",
    "a<style>x</style><style>y</style>b", "a<head><title>x</title></head>b",
    "a<select><optgroup><option>x</optgroup><option>y</select>b",
  ])
  func closedTextIsHidden(_ html: String) { #expect(Self.plain(html) == "ab") }

  @Test(arguments: [
    (#"<p title="<style>">one</p>two"#, "one\n\ntwo"), ("x <![CDATA[y <b>z</b>]]> w", "x y z w"),
    ("<![CDATA[<p>one</p><p>two</p>]]>", "one\n\ntwo"), ("one <!doctype two", "one <!doctype two"),
    ("one<iframe src='/f' title='Film'></iframe><iframe src='/g' title='Tide'>two", "one\n\ntwo"),
  ])
  func otherTextStays(_ html: String, _ expected: String) { #expect(Self.plain(html) == expected) }

  /// The same holds for titles in HTML.
  @Test func titlesShowTheRest() {
    for tag in ["style", "title", "script", "textarea", "select"] {
      let title = HTMLReader.readTitle("About <\(tag)> and more", isDeclared: true)
      #expect(title.plainText.contains("and more"), "\(tag)")
    }
  }

  /// Each byte is examined a bounded number of times, however many elements there are.
  @Test func scanningTimeIsLinear() {
    for piece in [
      "<style>", "<!--", "<![CDATA[", "<svg>", "<option>", "<title>x", "<iframe src=a>",
    ] {
      let html = String(repeating: piece, count: 8_000) + "After"
      #expect(HTMLReader.read(html, base: nil).damage != nil || Self.plain(html).contains("After"))
    }
  }
}

import TestSupport
import Testing

@testable import Feeds

@Suite struct PageLinksTests {
  private func links(_ html: String) -> PageLinks {
    PageLinks(Array(html.utf8), address: "https://tide.example/a/b")
  }

  @Test func linksAreReadFromTags() {
    let read = links(
      "<base href=/x/><LINK REL='alternate' TYPE=Application/Atom+XML HREF=f title='A &amp;  B'>"
        + "<link rel=canonical href=\"//other.example/\"><link rel=alternate href=''>"
        + "<link rel=alternate href='mailto:x'><link rel='alternate' href='f'/>")
    #expect(
      read.alternates
        == [
          PageLinks.Alternate(
            address: "https://tide.example/x/f", type: "application/atom+xml", title: "A & B")
        ])
    #expect(read.canonical == "https://other.example/")
  }

  @Test func otherEncodingsAreRead() {
    let html = "<link rel=alternate href=/f>"
    let utf16: [UInt8] = [0xFF, 0xFE] + html.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(PageLinks(utf16, address: "https://a.example/").alternates.count == 1)
  }

  /// Pages are bounded, and damage costs no more than their length.
  @Test func hostilePagesAreReadInLinearTime() {
    for piece in [
      "<!--", "<script>", "<link rel='", "<link ", "<", "<title", "<a \"", "<base href=\"",
    ] {
      let page = String(repeating: piece, count: 60_000)
      #expect(links(page).alternates.isEmpty)
    }
    let many = (0..<5_000).map { "<link rel=alternate href=/\($0)>" }.joined()
    #expect(links(many).alternates.count == 100)
  }

  @Test(arguments: Rounds.seeds(20)) func randomBytesAreHarmless(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "<link ", "rel=", "alternate", "'", "\"", " href=", "/x", ">", "<!--", "-->", "<script>",
      "</script>", "&amp;", "\u{0}", "é", "<base href=",
    ]
    let page = (0..<300).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
    for link in links(page.joined()).alternates { #expect(link.address.hasPrefix("http")) }
  }
}

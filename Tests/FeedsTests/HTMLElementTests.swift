import Testing

@testable import Feeds

/// The table of HTML's elements.
@Suite struct HTMLElementTests {
  /// All names of HTML, old ones included.
  private static let names =
    """
    a abbr acronym address amp-img applet area article aside audio b base basefont bdi bdo big \
    blink blockquote body br button canvas caption center cite code col colgroup data datalist dd \
    del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame \
    frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd label \
    legend li link listing main map mark marquee math menu meta meter nav nobr noembed noframes \
    noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc \
    ruby s samp script search section select slot small source span strike strong style sub \
    summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var \
    video wbr xmp
    """.split(separator: " ").map(String.init)

  private static func names(_ fits: (HTMLElement) -> Bool) -> [String] {
    names.filter { HTMLElement(ElementName($0)).map(fits) ?? false }
  }

  @Test func namesAreFoundInAnyCase() {
    #expect(HTMLElement("DIV")?.effect == .paragraph)
    #expect(HTMLElement("scripT")?.has(.opaque) == true)
    for name in ["", "feed", "item", "divx", "di", "entry"] {
      #expect(HTMLElement(ElementName(name)) == nil, "\(name)")
    }
  }

  @Test func traitsFitEachOther() {
    #expect(
      Self.names { $0.has(.void) } == [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
      ])
    // An element without an end tag cannot miss it, and has no content to hide.
    #expect(Self.names { $0.has(.void) && ($0.ending != nil || $0.has(.hides)) }.isEmpty)
    #expect(Self.names { $0.has(.mediaPart) && !$0.has(.void) }.isEmpty)
    #expect(Self.names { $0.has(.standsAlone) && !$0.has(.void) }.isEmpty)
    #expect(Self.names { $0.has(.opaque) && $0.ending != .raw }.isEmpty)
    // What breaks or hides also has an effect; so does what shows media.
    for trait: HTMLElement.Traits in [.breaks, .hides, .media, .isPassed] {
      #expect(Self.names { $0.has(trait) && $0.effect == nil }.isEmpty)
    }
    #expect(Self.names { $0.effect == .hidden && !$0.has(.hides) }.isEmpty)
    #expect(Self.names { $0.has(.isInTitles) && $0.effect != nil }.isEmpty)
    // Every attribute with an address is one of some element, and `src` of all of them.
    for address: ElementName in ["href", "src", "srcset", "poster", "data", "cite"] {
      #expect(!Self.names { $0.addresses.contains(address) }.isEmpty)
    }
    #expect(Self.names { !$0.addresses.isEmpty && !$0.addresses.contains("src") }.isEmpty)
  }

  /// In feeds, `link` and `source` have content.
  @Test func elementsOfFeedsComeBeforeThoseOfHTML() {
    let content = { (name: String) in FeedElementContent(Array(name.utf8)[...]) }
    for name in Self.names({ $0.has(.void) }) {
      #expect(content(name) == (["link", "source"].contains(name) ? .text : .never), "\(name)")
    }
    #expect(content("x:br") == .never)
    #expect(content("p") == nil)
    #expect(content("x:p") == .text)
  }

  /// An element of XHTML without content is written as HTML writes it.
  @Test(arguments: [
    ("br", "<br>"), ("img", "<img>"), ("p", "<p></p>"), ("link", "<link></link>"),
    ("script", "<script></script>"),
  ])
  func voidElementsHaveNoEndTag(_ name: String, _ html: String) {
    let element = FeedElement(name: "div")
    element.add(.element(FeedElement(name: name)))
    #expect(HTMLWriter.html(ofContent: element) == html)
  }
}

/// An element of a feed, built from the parser's events for one item at a time.
///
/// Names are lower case: feeds write `pubDate` in every way there is.
final class FeedElement {
  enum Child {
    case element(FeedElement)
    case text(String)
  }

  struct Attribute {
    var space: FeedNamespace
    var name: String
    var value: String
  }

  let space: FeedNamespace
  let name: String
  var attributes: [Attribute]
  var children: [Child] = []

  init(space: FeedNamespace = .plain, name: String, attributes: [Attribute] = []) {
    self.space = space
    self.name = name
    self.attributes = attributes
  }

  /// The value of an attribute, or of a child of that name where JSON stands for attributes.
  func attribute(_ name: String, in space: FeedNamespace = .plain) -> String? {
    attributes.first { $0.name == name && $0.space == space }?.value
  }

  var elements: [FeedElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  var hasElements: Bool {
    children.contains { if case .element = $0 { true } else { false } }
  }

  func elements(_ name: String, in spaces: FeedNamespace...) -> [FeedElement] {
    var found: [FeedElement] = []
    for case .element(let element) in children
    where element.name == name && spaces.contains(element.space) {
      found.append(element)
    }
    return found
  }

  func first(_ name: String, in spaces: FeedNamespace...) -> FeedElement? {
    for child in children {
      if case .element(let element) = child, element.name == name, spaces.contains(element.space) {
        return element
      }
    }
    return nil
  }

  /// The characters of this element and all below it, in order. Depth is bounded by the parser.
  var text: String {
    children.map { child in
      switch child {
      case .text(let text): text
      case .element(let element): element.text
      }
    }.joined()
  }

  /// `text` in one sanitized line; nil where there is none.
  var line: String? {
    let line = Sanitizing.collapsed(text)
    return line.isEmpty ? nil : line
  }

  /// The line of the first child of that name that has one.
  func line(of name: String, in spaces: FeedNamespace...) -> String? {
    for element in elements where element.name == name && spaces.contains(element.space) {
      if let line = element.line { return line }
    }
    return nil
  }
}

extension FeedElement {
  /// What addresses in it are relative to, within an element whose own are relative to `base`.
  func base(within base: String?) -> String? {
    FeedAddress.resolve(attribute("base", in: .xml), base: base) ?? base
  }

  /// The links to what stands in that relation to it, which is the alternate where none is named.
  func links(_ relation: String, in spaces: FeedNamespace...) -> [FeedElement] {
    elements.filter { element in
      element.name == "link" && spaces.contains(element.space)
        && (element.attribute("rel") ?? "alternate") == relation
    }
  }
}

/// The vocabularies feeds are written in.
enum FeedNamespace: Hashable {
  /// RSS of every version, and attributes without a prefix.
  case plain
  case atom, media, content, dublinCore, itunes, xhtml, xml, thread, rdf, other

  /// By address; feeds that misspell or forget it are known by their prefix.
  init(address: String?, prefix: String?) {
    if let address, let known = Self.byAddress[address] {
      self = known
    } else if let prefix {
      self = Self.byPrefix[prefix] ?? .other
    } else {
      self = address == nil ? .plain : .other
    }
  }

  private static let byAddress: [String: FeedNamespace] = [
    "http://www.w3.org/2005/Atom": .atom, "http://purl.org/atom/ns#": .atom,
    "http://purl.org/rss/1.0/": .plain, "http://my.netscape.com/rdf/simple/0.9/": .plain,
    "http://channel.netscape.com/rdf/simple/0.9/": .plain,
    "http://backend.userland.com/rss2": .plain, "http://search.yahoo.com/mrss/": .media,
    "http://search.yahoo.com/mrss": .media, "http://www.rssboard.org/media-rss": .media,
    "http://purl.org/rss/1.0/modules/content/": .content,
    "http://purl.org/dc/elements/1.1/": .dublinCore, "http://purl.org/dc/terms/": .dublinCore,
    "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes, "http://www.w3.org/1999/xhtml": .xhtml,
    "http://www.w3.org/XML/1998/namespace": .xml,
    "http://purl.org/syndication/thread/1.0": .thread,
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf,
  ]

  private static let byPrefix: [String: FeedNamespace] = [
    "atom": .atom, "media": .media, "content": .content, "dc": .dublinCore,
    "dcterms": .dublinCore, "itunes": .itunes, "xhtml": .xhtml, "xml": .xml, "thr": .thread,
    "rdf": .rdf,
  ]
}

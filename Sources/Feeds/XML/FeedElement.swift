/// An element of a feed, built from the parser's events for one item at a time.
///
/// Names are lower case: feeds write `pubDate` in every possible way.
final class FeedElement {
  enum Child {
    case element(FeedElement)
    case text(String)
  }

  struct Attribute {
    var space: FeedNamespace
    var name: String
    var value: String
    fileprivate let key: ElementName

    init(space: FeedNamespace, name: String, value: String) {
      self.space = space
      self.name = name
      self.value = value
      key = ElementName(name)
    }
  }

  let space: FeedNamespace
  let name: String
  /// The packed name, for lookups.
  private let key: ElementName
  private(set) var attributes: [Attribute]
  private(set) var children: [Child] = []

  init(space: FeedNamespace = .plain, name: String, attributes: [Attribute] = []) {
    self.space = space
    self.name = name
    self.attributes = attributes
    key = ElementName(name)
  }

  func add(_ attribute: Attribute) { attributes.append(attribute) }

  func add(_ child: Child) { children.append(child) }

  /// The value of an attribute; scalars of RSS in JSON are attributes, too.
  func attribute(_ name: ElementName, in space: FeedNamespace = .plain) -> String? {
    for attribute in attributes where attribute.key == name && attribute.space == space {
      return attribute.value
    }
    return nil
  }

  var elements: [FeedElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  private func has(_ name: ElementName, in spaces: FeedNamespace) -> Bool {
    key == name && spaces.contains(space)
  }

  func elements(_ name: ElementName, in spaces: FeedNamespace) -> [FeedElement] {
    var found: [FeedElement] = []
    for case .element(let element) in children where element.has(name, in: spaces) {
      found.append(element)
    }
    return found
  }

  func first(_ name: ElementName, in spaces: FeedNamespace) -> FeedElement? {
    for case .element(let element) in children where element.has(name, in: spaces) {
      return element
    }
    return nil
  }

  /// The characters of this element and its descendants in order, with a line feed for each `<br>`.
  /// The parser bounds their depth.
  var text: String {
    if children.count == 1, case .text(let text) = children[0] { return text }
    return children.reduce(into: "") { text, child in
      switch child {
      case .text(let words): text += words
      case .element(let element):
        text += element.key == "br" ? "\n" + element.text : element.text
      }
    }
  }

  /// `text` as one sanitized line; `nil` if it is empty.
  var line: String? {
    let line = Sanitizing.collapsed(text)
    return line.isEmpty ? nil : line
  }

  /// The first line that a child of that name has.
  func line(of name: ElementName, in spaces: FeedNamespace) -> String? {
    for case .element(let element) in children where element.has(name, in: spaces) {
      if let line = element.line { return line }
    }
    return nil
  }
}

extension FeedElement {
  /// The base of addresses in this element: its `xml:base` resolved against `base`, else `base`.
  func base(within base: String?) -> String? {
    FeedAddress.resolve(attribute("base", in: .xml), base: base) ?? base
  }

  /// The links of that relation; a link that names none is an alternate.
  func links(_ relation: String, in spaces: FeedNamespace) -> [FeedElement] {
    elements("link", in: spaces).filter { ($0.attribute("rel") ?? "alternate") == relation }
  }
}

/// The vocabularies of feeds: the vocabulary of an element, or all those that a lookup accepts.
struct FeedNamespace: OptionSet, Hashable, Sendable {
  let rawValue: UInt16

  /// RSS of every version, and attributes without a prefix.
  static let plain = FeedNamespace(rawValue: 1)
  static let atom = FeedNamespace(rawValue: 1 << 1)
  static let media = FeedNamespace(rawValue: 1 << 2)
  static let content = FeedNamespace(rawValue: 1 << 3)
  static let dublinCore = FeedNamespace(rawValue: 1 << 4)
  static let itunes = FeedNamespace(rawValue: 1 << 5)
  static let xhtml = FeedNamespace(rawValue: 1 << 6)
  static let xml = FeedNamespace(rawValue: 1 << 7)
  static let thread = FeedNamespace(rawValue: 1 << 8)
  static let rdf = FeedNamespace(rawValue: 1 << 9)
  static let syndication = FeedNamespace(rawValue: 1 << 10)
  static let other = FeedNamespace(rawValue: 1 << 11)
}

extension FeedNamespace {
  /// Determines the vocabulary by its address; if that is misspelt or missing, by the prefix.
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
    "http://purl.org/rss/1.0/modules/syndication/": .syndication,
  ]

  private static let byPrefix: [String: FeedNamespace] = [
    "atom": .atom, "media": .media, "content": .content, "dc": .dublinCore,
    "dcterms": .dublinCore, "itunes": .itunes, "xhtml": .xhtml, "xml": .xml, "thr": .thread,
    "rdf": .rdf, "sy": .syndication,
  ]
}

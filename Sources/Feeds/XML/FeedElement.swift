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

  func elements(_ name: String, in spaces: FeedNamespace...) -> [FeedElement] {
    elements.filter { $0.name == name && spaces.contains($0.space) }
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

/// The vocabularies feeds are written in.
enum FeedNamespace: Hashable {
  /// RSS of every version, and attributes without a prefix.
  case plain
  case atom, media, content, dublinCore, itunes, xhtml, xml, thread, rdf, other

  /// By address; feeds that misspell or forget it are known by their prefix.
  init(address: String?, prefix: String?) {
    switch address {
    case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#": self = .atom
    case "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
      "http://channel.netscape.com/rdf/simple/0.9/", "http://backend.userland.com/rss2":
      self = .plain
    case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss",
      "http://www.rssboard.org/media-rss":
      self = .media
    case "http://purl.org/rss/1.0/modules/content/": self = .content
    case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/": self = .dublinCore
    case "http://www.itunes.com/dtds/podcast-1.0.dtd": self = .itunes
    case "http://www.w3.org/1999/xhtml": self = .xhtml
    case "http://www.w3.org/XML/1998/namespace": self = .xml
    case "http://purl.org/syndication/thread/1.0": self = .thread
    case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": self = .rdf
    default:
      switch prefix {
      case nil: self = address == nil ? .plain : .other
      case "atom": self = .atom
      case "media": self = .media
      case "content": self = .content
      case "dc", "dcterms": self = .dublinCore
      case "itunes": self = .itunes
      case "xhtml": self = .xhtml
      case "xml": self = .xml
      case "thr": self = .thread
      case "rdf": self = .rdf
      default: self = .other
      }
    }
  }
}

/// The content that an element of a feed may have, by its name as written. It determines the end of
/// an element without an end tag.
enum FeedElementContent: Hashable {
  /// Nothing, in any document: the start tag is the whole element.
  case never
  /// No other element; perhaps text.
  case text
  /// Text and markup: elements that are not those of a feed.
  case markup
  /// Elements of Media RSS.
  case media
  /// A name and addresses.
  case person
  /// An address, a width and a height.
  case picture
  /// Items and their parts.
  case feed

  /// `nil` for an element of another vocabulary without a prefix, such as HTML.
  init?(_ name: ArraySlice<UInt8>) {
    let parts = ElementName.split(name)
    if parts.prefix == Self.mediaPrefix, parts.local == "content" || parts.local == "group" {
      self = .media
    } else if let known = Self.names[parts.local] {
      self = known
    } else if HTMLElement(parts.local)?.has(.void) == true {
      self = .never
    } else if parts.prefix != nil {
      self = .text
    } else {
      return nil
    }
  }

  /// Whether an element called `owner`, whose content this is, may hold an element called `name`.
  func mayHold(_ name: ArraySlice<UInt8>, in owner: ArraySlice<UInt8>) -> Bool {
    let parts = ElementName.split(name)
    switch self {
    case .never, .text: return false
    case .markup: return [nil, .never].contains(FeedElementContent(name))
    case .media:
      return parts.prefix == Self.mediaPrefix && parts.local != "group"
        && parts.local != ElementName.split(owner).local
    case .person: return ["name", "uri", "url", "email"].contains(parts.local)
    case .picture: return ["url", "width", "height"].contains(parts.local)
    case .feed: return true
    }
  }

  private static let mediaPrefix: ElementName = "media"

  /// The elements of feeds. Two of them, `link` and `source`, never hold anything in HTML.
  private static let names = [ElementName: FeedElementContent](names: [
    (
      .text,
      "bigimage category comments copyright created creator date docs duration email enclosure"
        + " generator guid height icon id issued keywords language lastbuilddate link logo"
        + " managingeditor modified name published pubdate rating smallimage source thumbnail"
        + " ttl updated uri url webmaster width"
    ),
    (.markup, "content description encoded rights subtitle summary tagline title"),
    (.person, "author contributor owner"), (.picture, "image"),
    (.feed, "channel entry feed item rdf rss"),
  ])
}

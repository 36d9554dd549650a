import TextLayout

/// The metadata of a document, which it gives before or after its items.
public struct DocumentHead: Hashable, Sendable {
  private let format: FeedFormat
  /// The values of the members, as bytes of the source.
  private var members: [String: [UInt8]] = [:]
  private var byteCount = 0
  /// Whether the document is RSS in JSON.
  public internal(set) var isRSS = false
  /// Whether the document is a Bluesky thread, in which posts are nested.
  var isThread = false
  /// Whether a list of items was found.
  var hasItems = false
  /// The parts of an XML document outside its items.
  private(set) var xml: XMLHead?

  /// An empty head.
  public init(format: FeedFormat = .jsonfeed) { self.format = format }

  init(xml: XMLHead) {
    format = .rss
    self.xml = xml
  }

  /// Stores a member, unless its value is larger than ``FeedLimits/beginningBytes`` or the head
  /// would exceed ``FeedLimits/itemBytes``.
  mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    guard value.count <= FeedLimits.beginningBytes,
      byteCount + value.count <= FeedLimits.itemBytes
    else { return }
    members[name] = Array(value)
    byteCount += value.count
  }

  /// The timeline's metadata, such as its title.
  ///
  /// - Complexity: O(n) in the head's bytes.
  public func info(baseURL: String? = nil) -> TimelineInfo { read(baseURL: baseURL).info }

  /// - Complexity: O(n) in the bytes of the stored members.
  func read(baseURL: String?) -> FeedHead {
    if let xml { return XMLContext(xml, baseURL: baseURL).head }
    if isRSS { return XMLFeedReader.head(of: channel, in: channel, base: baseURL) }
    return format.json.head(self, baseURL)
  }

  /// The value of a member; `nil` if it is missing or cannot be read.
  ///
  /// - Complexity: O(n) in its bytes.
  func value(_ name: String) -> JSONValue? {
    members[name].flatMap { JSONParser.repairedValue(of: $0) }
  }

  /// The address in a member, or of the object in it.
  func address(_ name: String, base: String?) -> String? {
    let value = value(name)
    return FeedAddress.lenient(value?.text ?? JSONFields(value)?["id"]?.text, base: base)
  }

  /// RSS in JSON as the XML element to which it corresponds.
  private var channel: FeedElement {
    let members = members.keys.compactMap { name in
      value(name).map { JSONValue.Member(key: name, value: $0) }
    }
    return JSONValue.object(members).element(named: "channel")
  }

  /// Whether the items are in UTF-8, or in an encoding whose bytes are recognizably not UTF-8.
  package var holdsUTF8: Bool {
    guard let xml else { return true }
    return switch xml.encoding {
    case .utf8, .undeclared, .windows1252: true
    case .named: false
    }
  }
}

/// What a JSON document says about itself before, or behind, its items.
public struct DocumentHead: Hashable, Sendable {
  private let format: FeedFormat
  /// The members' values as they stand in the source, one behind the other.
  private var bytes: [UInt8] = []
  private var members: [String: Range<Int>] = [:]
  /// Whether it is RSS written in JSON.
  public internal(set) var isRSS = false
  /// Whether a list of items was found.
  var hasItems = false

  /// A head that says nothing.
  public init(format: FeedFormat = .jsonfeed) { self.format = format }

  mutating func add(_ name: String, _ value: [UInt8]) {
    guard bytes.count + value.count <= FeedLimits.itemBytes else { return }
    members[name] = bytes.count..<bytes.count + value.count
    bytes += value
  }

  func read(baseURL: String?) -> JSONHead.Contents {
    bytes.withUnsafeBufferPointer {
      JSONHead($0, members, format: format, hasItems: hasItems).read(baseURL: baseURL)
    }
  }

  /// The timeline's title and the like. - Complexity: O(n) in the head's bytes
  public func info(baseURL: String? = nil) -> TimelineInfo { read(baseURL: baseURL).info }
}

/// What a JSON document says about itself before, or behind, its items.
public struct DocumentHead: Hashable, Sendable {
  /// The members' values as they stand in the source, one behind the other.
  private(set) var bytes: [UInt8] = []
  private(set) var members: [String: Range<Int>] = [:]
  /// Whether it is RSS written in JSON.
  public internal(set) var isRSS = false

  public init() {}

  mutating func add(_ name: String, _ value: [UInt8]) {
    guard bytes.count + value.count <= FeedLimits.itemBytes else { return }
    members[name] = bytes.count..<bytes.count + value.count
    bytes += value
  }

  /// The timeline's title and the like. - Complexity: O(n) in the head's bytes
  public func info(baseURL: String? = nil) -> TimelineInfo {
    bytes.withUnsafeBufferPointer { JSONFeedReader.Head($0, members).info(base: baseURL) }
  }
}

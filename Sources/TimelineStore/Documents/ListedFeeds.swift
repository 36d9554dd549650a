import Feeds

extension TimelineSource {
  /// The addresses of the feeds that a file names, or standard input where that is a file, if it is a
  /// list of feeds, also one packed by gzip; nil where it is none. Nothing of standard input is used up.
  ///
  /// - Complexity: O(n) in the bytes of a list, at most ``FeedList/longest``.
  public func listedFeeds() -> [String]? {
    let file: FileBytes
    switch self {
    case .file(let path):
      guard let opened = try? FileBytes(path: path) else { return nil }
      file = opened
    case .standardInput: file = .standardInput
    case .url: return nil
    }
    guard let size = file.size,
      let head = try? file.read(0..<min(size, FeedLimits.detectionBytes))
    else { return nil }
    let isPacked = GzipReader.begins(head)
    guard FeedList.begins(isPacked ? Self.beginning(of: head) : head),
      let bytes = try? file.read(0..<min(size, FeedList.longest))
    else { return nil }
    guard isPacked else { return FeedList.addresses(in: bytes) }
    return GzipReader.unpacked(bytes, limit: FeedList.longest).map { FeedList.addresses(in: $0) }
  }

  /// What the first bytes of a file of gzip unpack to, as far as a format is told by it.
  private static func beginning(of packed: [UInt8]) -> [UInt8] {
    var reader = GzipReader()
    var bytes: [UInt8] = []
    _ = reader.unpack(packed) { piece in
      bytes += piece
      return bytes.count < FeedLimits.detectionBytes
    }
    return Array(bytes.prefix(FeedLimits.detectionBytes))
  }
}

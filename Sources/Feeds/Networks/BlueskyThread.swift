/// The posts of a thread of Bluesky's API in reading order: the ancestors, the post, then its
/// replies, each followed by its own.
enum BlueskyThread {
  /// Whether the value at the scanner's position is a thread.
  ///
  /// - Complexity: O(n) in the bytes of its first members.
  static func begins(at scanner: JSONScanner) -> Bool {
    var scanner = scanner
    guard scanner.accept("{") else { return false }
    while let name = scanner.key() {
      let isObject = scanner.peek() == UInt8(ascii: "{")
      let value = scanner.value()
      let text = scanner.beginning(ofStringAt: value.range)
      if name == "$type" { return text?.hasPrefix("app.bsky.feed.defs#") == true }
      if name == "post" { return isObject }
      if value.range.isEmpty || value.fault != nil { return false }
    }
    return false
  }

  /// The ranges of the values that hold the posts of the thread in `range`.
  ///
  /// - Complexity: O(n) in the bytes.
  static func posts(
    in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> [Range<Int>] {
    var scanner = JSONScanner(
      UnsafeBufferPointer(rebasing: bytes[..<range.upperBound]), at: range.lowerBound)
    return posts(&scanner, depth: 0)
  }

  /// Reads the next value and returns the ranges of its posts.
  private static func posts(_ scanner: inout JSONScanner, depth: Int) -> [Range<Int>] {
    _ = scanner.peek()
    let start = scanner.position
    guard depth < JSONScanner.maximumDepth / 2, scanner.accept("{") else {
      return [scanner.value().range]
    }
    var parents: [Range<Int>] = []
    var post: Range<Int>?
    var replies: [Range<Int>] = []
    while let name = scanner.key() {
      let next = scanner.peek()
      if name == "parent", next == UInt8(ascii: "{") {
        parents = posts(&scanner, depth: depth + 1)
      } else if name == "replies", scanner.accept("[") {
        while scanner.peek() == UInt8(ascii: "{") {
          replies += posts(&scanner, depth: depth + 1)
          _ = scanner.accept(",")
        }
        _ = scanner.accept("]")
      } else {
        let value = scanner.value()
        if name == "post" { post = value.range }
        guard !value.range.isEmpty, value.fault == nil else { break }
      }
    }
    _ = scanner.accept("}")
    // A deleted or blocked post has no `post`; its whole value says so.
    return parents + [post ?? start..<scanner.position] + replies
  }
}

import Answers
import Feeds
import Synchronization
import System
import TimelineStore

/// A batch of posts in their printed form, which any thread can compute.
struct FormattedPosts: Sendable {
  let bytes: [UInt8]
  /// The ranges of the posts' ids in `bytes`, if ids of a document have to be unique; otherwise
  /// empty.
  let ids: [Range<Int>]

  init(_ posts: UnparsedPosts, as form: PlainOutput.Form, filter: PostQuery? = nil) {
    var hasIDs = false
    if case .rows(let rows) = posts { hasIDs = rows.belongsToDocument && form == .json }
    var ids: [Range<Int>] = []
    var bytes: [UInt8] = []
    let now = Double(time(nil))
    let write = { (post: Post) in
      switch form {
      case .json:
        let id = PostWriter.appendJSONItem(post, to: &bytes)
        if hasIDs { ids.append(id) }
      case .text:
        if !bytes.isEmpty { bytes.append(0x0A) }
        bytes += PostWriter.plainText(post, now: now).utf8
        if bytes.last != 0x0A { bytes.append(0x0A) }
      }
    }
    if let filter {
      var matcher = PostMatcher(filter)
      posts.readEach(fitting: &matcher, write)
    } else {
      posts.readEach(write)
    }
    self.ids = ids
    self.bytes = bytes
  }
}

/// Joins batches in order: puts a blank line between posts in text form, and appends a number to
/// repeated ids.
actor OrderedOutput {
  /// Whether standard output has a reader, as far as known.
  nonisolated var isRead: Bool { reading.load(ordering: .relaxed) }

  private let reading = Atomic(true)
  private let form: PlainOutput.Form
  private var isFirst = true
  /// The number of occurrences of each id, by its hash.
  private var seen: [Int: Int] = [:]
  /// The maximum number of ids that are recorded for comparison.
  private static let knownIDs = 1_000_000

  init(form: PlainOutput.Form) { self.form = form }

  /// Prints a batch, unless standard output has no reader.
  ///
  /// - Throws: `Failure`; after that nothing is printed.
  func print(_ batch: FormattedPosts) throws(Failure) {
    guard isRead else { return }
    var goesOn = false
    defer { reading.store(goesOn, ordering: .relaxed) }
    goesOn = try PlainOutput.write(next(batch))
  }

  /// - Complexity: O(n) in the bytes of the batch, on average.
  private func next(_ batch: FormattedPosts) -> [UInt8] {
    guard !batch.bytes.isEmpty else { return [] }
    defer { isFirst = false }
    if form == .text { return isFirst ? batch.bytes : [0x0A] + batch.bytes }
    var bytes: [UInt8] = []
    var copied = 0
    for id in batch.ids {
      guard let number = number(ofRepeated: batch.bytes[id]) else { continue }
      bytes += batch.bytes[copied..<id.upperBound]
      bytes += "#\(number)".utf8
      copied = id.upperBound
    }
    return copied == 0 ? batch.bytes : bytes + batch.bytes[copied...]
  }

  /// The number that makes an id unique, as `UniqueIDs` does; `nil` if it has not occurred before.
  private func number(ofRepeated id: ArraySlice<UInt8>) -> Int? {
    guard let count = seen[Self.hash(id)] else {
      note(Self.hash(id), count: 1)
      return nil
    }
    var number = count + 1
    while seen[Self.hash(id, number)] != nil { number += 1 }
    seen[Self.hash(id)] = number
    note(Self.hash(id, number), count: 1)
    return number
  }

  private func note(_ id: Int, count: Int) {
    if seen.count < Self.knownIDs { seen[id] = count }
  }

  private static func hash(_ id: ArraySlice<UInt8>, _ number: Int? = nil) -> Int {
    var hasher = Hasher()
    id.withUnsafeBytes { hasher.combine(bytes: $0) }
    if let number {
      for byte in "#\(number)".utf8 { hasher.combine(byte) }
    }
    return hasher.finalize()
  }
}

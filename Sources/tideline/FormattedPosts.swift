import Feeds
import Synchronization
import System
import TimelineStore

/// A batch of posts in their printed form, which any thread can compute.
struct FormattedPosts: Sendable {
  let bytes: [UInt8]
  /// The posts' ids, if ids of a document have to be unique; otherwise empty.
  let ids: [ID]

  struct ID: Sendable {
    let hash: Int
    /// The offset in `bytes` of the quotation mark that ends the id.
    let end: Int
  }

  init(_ posts: UnparsedPosts, as form: PlainOutput.Form, filter: PostQuery? = nil) {
    var hasIDs = false
    if case .rows(let rows) = posts { hasIDs = rows.belongsToDocument && form == .json }
    var ids: [ID] = []
    var bytes: [UInt8] = []
    let now = Double(time(nil))
    let write = { (post: Post) in
      switch form {
      case .json:
        let end = PostWriter.appendJSONItem(post, to: &bytes)
        if hasIDs { ids.append(ID(hash: post.id.hashValue, end: end)) }
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
  /// How often each id has occurred, by its hash.
  private var occurrences: [Int: Int] = [:]
  /// The number of ids that are recorded for comparison.
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

  /// - Complexity: O(posts) on average.
  private func next(_ batch: FormattedPosts) -> [UInt8] {
    guard !batch.bytes.isEmpty else { return [] }
    defer { isFirst = false }
    if form == .text { return isFirst ? batch.bytes : [0x0A] + batch.bytes }
    var bytes: [UInt8] = []
    var copied = 0
    for id in batch.ids {
      let occurrence = occurrence(of: id.hash)
      guard occurrence > 1 else { continue }
      bytes += batch.bytes[copied..<id.end]
      bytes += "#\(occurrence)".utf8
      copied = id.end
    }
    return copied == 0 ? batch.bytes : bytes + batch.bytes[copied...]
  }

  /// Counts an id; 1 if it has not occurred before or if too many ids have.
  private func occurrence(of hash: Int) -> Int {
    guard let before = occurrences[hash] else {
      if occurrences.count < Self.knownIDs { occurrences[hash] = 1 }
      return 1
    }
    occurrences[hash] = before + 1
    return before + 1
  }
}

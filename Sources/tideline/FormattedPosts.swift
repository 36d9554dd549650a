import Feeds
import Synchronization
import System
import TimelineStore

/// A batch of posts in their printed form, which any thread can compute.
struct FormattedPosts: Sendable {
  let bytes: [UInt8]
  /// Hashes of the posts' ids, if ids of a document have to be unique; otherwise empty.
  let ids: [Int]
  /// The posts, to be written again with other ids.
  let posts: UnparsedPosts

  init(_ posts: UnparsedPosts, as form: PlainOutput.Form, filter: PostQuery? = nil) {
    self.posts = posts
    var hasIDs = false
    if case .rows(let rows) = posts { hasIDs = rows.belongsToDocument && form == .json }
    var ids: [Int] = []
    var bytes: [UInt8] = []
    let now = Double(time(nil))
    let write = { (post: Post) in
      if hasIDs { ids.append(post.id.hashValue) }
      Self.write(post, as: form, now: now, to: &bytes)
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

  static func write(
    _ post: Post, as form: PlainOutput.Form, now: Double, to bytes: inout [UInt8]
  ) {
    switch form {
    case .json: PostWriter.appendJSONItem(post, to: &bytes)
    case .text:
      if !bytes.isEmpty { bytes.append(0x0A) }
      bytes += PostWriter.plainText(post, now: now).utf8
      if bytes.last != 0x0A { bytes.append(0x0A) }
    }
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
  private var seen: Set<Int> = []
  /// The number of ids that are recorded for comparison.
  private static let knownIDs = 1_000_000
  /// How often each repeated id has occurred.
  private var repeated: [String: Int] = [:]

  private let filter: PostQuery?

  init(form: PlainOutput.Form, filter: PostQuery?) {
    self.form = form
    self.filter = filter
  }

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
    let isNew = batch.ids.map { id in
      seen.count < Self.knownIDs ? seen.insert(id).inserted : !seen.contains(id)
    }
    guard isNew.contains(false) else { return batch.bytes }
    var matcher = filter.map { PostMatcher($0) }
    var posts = batch.posts.read().filter { matcher?.fits($0) != false }
    for (index, isNew) in zip(posts.indices, isNew) where !isNew {
      let number = repeated[posts[index].id, default: 1] + 1
      repeated[posts[index].id] = number
      posts[index].id += "#\(number)"
    }
    var bytes: [UInt8] = []
    for post in posts { FormattedPosts.write(post, as: form, now: 0, to: &bytes) }
    return bytes
  }
}

import Feeds
import Synchronization
import System
import TimelineStore

/// A batch of posts as it is printed, written on any thread.
struct WrittenPosts: Sendable {
  let bytes: [UInt8]
  /// Hashes of the posts' ids, where those of a document are to differ.
  let ids: [Int]
  /// To be written again, with other ids.
  let posts: UnreadPosts

  init(_ posts: UnreadPosts, as form: PlainOutput.Form, filter: PostQuery? = nil) {
    self.posts = posts
    var hasIDs = false
    if case .rows(let rows) = posts { hasIDs = rows.isOfDocument && form == .json }
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

/// What is printed of batches that come in order: blank lines between posts that are text, and a number
/// behind an id that was there before.
struct PrintOrder {
  private let form: PlainOutput.Form
  private var isFirst = true
  private var seen: Set<Int> = []
  /// How often ids were there that are repeated.
  private var repeated: [String: Int] = [:]

  private let filter: PostQuery?

  init(form: PlainOutput.Form, filter: PostQuery?) {
    self.form = form
    self.filter = filter
  }

  /// - Complexity: O(posts), as a rule.
  mutating func next(_ batch: WrittenPosts) -> [UInt8] {
    guard !batch.bytes.isEmpty else { return [] }
    defer { isFirst = false }
    if form == .text { return isFirst ? batch.bytes : [0x0A] + batch.bytes }
    let isNew = batch.ids.map { seen.insert($0).inserted }
    guard isNew.contains(false) else { return batch.bytes }
    var matcher = filter.map { PostMatcher($0) }
    var posts = batch.posts.read().filter { matcher?.fits($0) != false }
    for (index, isNew) in zip(posts.indices, isNew) where !isNew {
      let number = repeated[posts[index].id, default: 1] + 1
      repeated[posts[index].id] = number
      posts[index].id += "#\(number)"
    }
    var bytes: [UInt8] = []
    for post in posts { WrittenPosts.write(post, as: form, now: 0, to: &bytes) }
    return bytes
  }
}

/// Lets so many in at a time.
final class Window: Sendable {
  private struct State {
    var room: Int
    var isClosed = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state: Mutex<State>

  init(width: Int) { state = Mutex(State(room: width)) }

  /// Waits for room; false once it is closed. One waits at a time.
  func enter() async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if state.isClosed { return false }
        if state.room > 0 {
          state.room -= 1
          return true
        }
        state.waiting = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func leave() {
    let waiting = state.withLock { state in
      guard let waiting = state.waiting else {
        state.room += 1
        return nil as CheckedContinuation<Bool, Never>?
      }
      state.waiting = nil
      return waiting
    }
    waiting?.resume(returning: true)
  }

  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: false)
  }
}

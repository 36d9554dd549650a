import Caches
import Feeds
import HTTP
import Library
import Synchronization

/// The files of merged sources, from which rows are read when they are shown, and the reach and
/// author that posts get from their source; the rest is in the library. Used on any thread.
package final class MergedContents: Sendable {
  /// A file whose rows are read when they are shown.
  struct RowFile: Sendable {
    let path: String?
    let file: FileBytes
    let reader: RowReader
    let archive: Archive
  }

  private struct Source {
    var reach = RequestScope.publicAddresses
    var author: Post.Author?
    /// The archive that has the posts.
    var archive: Archive?
    /// The file, if it is kept open.
    var file: RowFile?
    /// The file without its open descriptor.
    var closed: (path: String, reader: RowReader, archive: Archive)?
  }

  private struct State {
    var sources: [FeedID: Source] = [:]
    /// Files that were opened again although they are beyond ``MergedSource/openFiles``.
    var reopened = LRUCache<FeedID, RowFile>(maximumCount: 8)
  }

  private let state = Mutex(State())
  let form: ContentForm

  init(form: ContentForm) { self.form = form }

  // MARK: Sources

  func note(reach: RequestScope, author: Post.Author?, of feed: FeedID) {
    state.withLock {
      $0.sources[feed, default: Source()].reach = reach
      $0.sources[feed, default: Source()].author = author
    }
  }

  /// Sets the archive that completes the posts of a source.
  func note(_ archive: Archive, of feed: FeedID) {
    state.withLock { $0.sources[feed, default: Source()].archive = archive }
  }

  /// Sets the file of a source, kept open until `close`.
  func open(_ file: RowFile, of feed: FeedID) {
    state.withLock { state in
      state.reopened.remove(feed)
      state.sources[feed, default: Source()].file = file
      state.sources[feed]?.closed = nil
    }
  }

  /// Closes the file of a source; it is opened again when its rows are shown.
  func close(_ feed: FeedID) {
    state.withLock { state in
      guard let file = state.sources[feed]?.file, let path = file.path else { return }
      state.sources[feed]?.closed = (path, file.reader, file.archive)
      state.sources[feed]?.file = nil
    }
  }

  /// Completes a post that was read from the library.
  func complete(_ post: inout Post, of feed: FeedID) {
    let known = state.withLock { state in
      state.sources[feed].map { (reach: $0.reach, author: $0.author, archive: $0.archive) }
    }
    guard let known else { return }
    known.archive?.complete(&post)
    post.reach = known.reach
    if post.author == nil, post.damage == nil { post.author = known.author }
  }

  // MARK: Rows

  /// The bytes of a row, or the first of them if it is very long, and its file.
  ///
  /// - Throws: `Unreadable` if the file cannot be read there.
  func row(
    of extent: ItemBody.FileExtent
  ) throws(Unreadable) -> (bytes: [UInt8], file: RowFile) {
    let feed = FeedID(Int64(extent.source))
    guard let file = file(of: feed) else {
      throw Unreadable(reason: "the file cannot be opened any more")
    }
    let start = Int(clamping: extent.offset)
    let count = min(Int(extent.count), RowReader.rowBytes)
    guard start >= 0, count >= 0, let bytes = try? file.file.read(start..<start + count) else {
      throw Unreadable(reason: "cannot be read at byte \(start)")
    }
    guard !bytes.isEmpty else {
      throw Unreadable(reason: "the file ends before this row now (byte \(start))")
    }
    return (bytes, file)
  }

  struct Unreadable: Error {
    /// A clause.
    let reason: String
  }

  private func file(of feed: FeedID) -> RowFile? {
    state.withLock { state in
      if let file = state.sources[feed]?.file { return file }
      if let known = state.reopened.value(for: feed) { return known }
      guard let closed = state.sources[feed]?.closed,
        let bytes = try? FileBytes(path: closed.path), bytes.size != nil
      else { return nil }
      let file = RowFile(
        path: closed.path, file: bytes, reader: closed.reader, archive: closed.archive)
      state.reopened.insert(file, for: feed)
      return file
    }
  }
}

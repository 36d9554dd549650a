import Feeds
import VirtualList

/// Posts that are read whole: documents that must be, and sources that are merged.
@MainActor final class PostArray: PostSource {
  private(set) var info = TimelineInfo()
  private(set) var failure: SourceError?
  private(set) var isComplete = false
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }

  private let reader: any PostReader
  private var posts: [Post] = []
  private var waiting: [SourceReader.Batch] = []
  private var task: Task<Void, Never>?

  init(reader: any PostReader) { self.reader = reader }

  var count: Int { posts.count }
  var activity: String { isComplete ? "" : "loading" }
  var message: (text: String, isError: Bool)? { failure.map { ($0.message, true) } }

  func post(at row: Int) -> Post { posts[row] }
  func rowID(at row: Int) -> RowID { RowID(UInt64(row)) }
  func row(of id: RowID) -> Int? { id.rawValue < UInt64(posts.count) ? Int(id.rawValue) : nil }
  func kind(of row: Int) -> Int { min(posts[row].pictures.count, PostCell.maximumPictures) }

  /// Reads the first posts before anything is shown, for sources that have them at once.
  ///
  /// - Throws: `SourceError` where there is nothing to show.
  func readFirst() async throws(SourceError) {
    guard task == nil, let batch = try await reader.next() else { return }
    info = batch.info
    posts = batch.posts
  }

  func start() {
    guard task == nil else { return }
    task = Task { [weak self, reader] in
      do throws(SourceError) {
        while !Task.isCancelled, let batch = try await reader.next() { self?.take(batch) }
        self?.end(nil)
      } catch {
        self?.end(error)
      }
    }
  }

  func stop() { task?.cancel() }

  func didShow(rows: Range<Int>) { takeWaiting() }

  private func take(_ batch: SourceReader.Batch) {
    waiting.append(batch)
    takeWaiting()
  }

  private func takeWaiting() {
    guard !waiting.isEmpty, mayChangeRows() else { return }
    let start = posts.count
    for batch in waiting {
      if batch.info != TimelineInfo() { info = batch.info }
      posts += batch.posts
    }
    waiting = []
    if posts.count > start {
      onChange?(.rows(deletions: [], insertions: [start..<posts.count], reloads: []))
    }
    onChange?(.state)
  }

  private func end(_ error: SourceError?) {
    failure = error
    isComplete = true
    onChange?(.state)
  }
}

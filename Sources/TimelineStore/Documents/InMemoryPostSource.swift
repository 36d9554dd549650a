import Feeds
import System
import VirtualList

/// All posts of a reader.
struct WholeTimeline: Sendable {
  var info = TimelineInfo()
  var posts: [Post] = []
  /// A line about posts that were left out; `nil` if there are none.
  var omission: String?
}

/// The posts of a source that is read whole: a document, or the timeline bundled with the program.
@MainActor final class InMemoryPostSource: PostSource {
  private(set) var info = TimelineInfo()
  private(set) var failure: SourceError?
  /// A line about posts that were left out; `nil` if there are none.
  private var omission: String?
  private(set) var isComplete = false
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }

  private let reader: any PostReader
  private var rows = DocumentRows()
  private var waiting: [SourceReader.Batch] = []
  /// A refresh that has not been adopted yet.
  private var refreshed: Refresh?
  private var first: Task<Result<SourceReader.Batch?, SourceError>, Never>?
  private var task: Task<Void, Never>?

  private struct Refresh {
    var info: TimelineInfo
    var rows: PostRows
    var change: PostChange
  }

  init(reader: any PostReader) { self.reader = reader }

  /// Creates a source from all posts of `reader`.
  init(_ all: WholeTimeline, of reader: any PostReader) {
    self.reader = reader
    info = all.info
    omission = all.omission
    rows.append(SourceReader.Batch(info: all.info, posts: all.posts))
    isComplete = true
  }

  var count: Int { rows.count }
  var activity: String { isComplete ? "" : "loading" }
  var message: (text: String, isError: Bool)? {
    (failure?.message ?? omission).map { ($0, true) }
  }

  func post(at row: Int) -> Post { rows.post(at: row) }
  func rowID(at row: Int) -> RowID { rows.id(at: row) }
  func row(of id: RowID) -> Int? { rows.row(of: id) }
  func kind(of row: Int) -> Int? { rows.kind(of: row) }
  func textLength(ofRows rows: Range<Int>) -> Int? { self.rows.textLength(ofRows: rows) }
  var searchable: (rows: any SearchableRows, count: Int) {
    (PostsInMemory(posts: rows.read.posts), rows.read.count)
  }
  var expectsMore: Bool { !isComplete }
  var capabilities: SourceCapabilities { SourceCapabilities(refresh: .inPlace(self)) }

  /// Starts to read the first posts in the background, for sources that have them at once.
  func beginReading(
    _ read: @escaping @Sendable () async throws(SourceError) -> SourceReader.Batch?
  ) {
    first = Task.detached(executorPreference: WorkerThreads.sources) {
      do throws(SourceError) { return .success(try await read()) } catch { return .failure(error) }
    }
  }

  func waitForFirstPosts() async throws(SourceError) {
    guard let first else { return }
    self.first = nil
    guard let batch = try await first.value.get() else { return }
    info = batch.info
    rows.append(batch)
  }

  func start() {
    guard task == nil, !isComplete else { return }
    task = Task { [weak self, reader] in
      do throws(SourceError) {
        while let batch = try await reader.nextOnWorkerThreads(), !Task.isCancelled {
          self?.take(batch)
        }
        let omission = await reader.omission()
        self?.omission = omission
        self?.end(nil)
      } catch {
        self?.end(error)
      }
    }
  }

  func stop() { task?.cancel() }

  func didShow(rows: Range<Int>) {
    applyWaitingBatches()
    applyRefresh()
  }

  private func take(_ batch: SourceReader.Batch) {
    waiting.append(batch)
    applyWaitingBatches()
  }

  private func applyWaitingBatches() {
    guard !waiting.isEmpty, mayChangeRows() else { return }
    let (read, known) = (rows.read.count, count)
    for batch in waiting {
      if batch.info != TimelineInfo() { info = batch.info }
      rows.append(batch)
    }
    waiting = []
    // The heights of rows that were known only by their bytes can be estimated by their posts now.
    let reloads = Array(read..<min(known, rows.read.count))
    let insertions = known < count ? [known..<count] : []
    if !reloads.isEmpty || !insertions.isEmpty {
      onChange?(.rows(deletions: [], insertions: insertions, reloads: reloads))
    }
    onChange?(.state)
  }

  private func end(_ error: SourceError?) {
    failure = error
    isComplete = true
    onChange?(.state)
  }

  // MARK: Refreshing

  /// Whether all rows were read and are shown.
  var isRefreshable: Bool { isComplete && waiting.isEmpty && !rows.arePending }

  /// Replaces the posts with `all`. Rows whose posts remain keep their identities; `.refreshed`
  /// reports the other changes.
  func refresh(with all: WholeTimeline) async {
    let old = rows.read
    let (new, change) = await WorkerThreads.sources.value { old.refreshed(with: all.posts) }
    omission = all.omission
    refreshed = Refresh(info: all.info, rows: new, change: change)
    applyRefresh()
  }

  /// Reads all posts of `reader`.
  ///
  /// - Throws: `SourceError` if reading fails.
  static func readAll(_ reader: any PostReader) async throws(SourceError) -> WholeTimeline {
    var all = WholeTimeline()
    while let batch = try await reader.nextOnWorkerThreads() {
      if batch.info != TimelineInfo() { all.info = batch.info }
      if all.posts.isEmpty { all.posts = batch.posts } else { all.posts += batch.posts }
    }
    all.omission = await reader.omission()
    return all
  }

  private func applyRefresh() {
    guard let new = refreshed, mayChangeRows() else { return }
    refreshed = nil
    (info, rows, failure) = (new.info, DocumentRows(new.rows), nil)
    onChange?(.refreshed(new.change))
  }
}

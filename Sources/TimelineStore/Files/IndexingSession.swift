import Dispatch
import System

/// The counting of one source's rows: how far the indexer reads, and what it reports.
///
/// 1. The indexer and the watch of its file start once, and end together.
/// 2. The indexer reads as far as the rows shown require; during a seek, to the end.
/// 3. `report` changes only in `adoptReport`, so that it fits the rows that are shown.
@MainActor final class IndexingSession {
  let indexer: any RowIndexer
  private(set) var report: RowIndexerReport
  private(set) var seekTarget: SeekTarget?
  /// The byte up to which the rows shown require reading.
  private var shownEnd = 0
  private var watch: FileWatch?
  private var isStarted = false

  init(_ indexer: any RowIndexer) {
    self.indexer = indexer
    report = indexer.report
  }

  /// Starts counting, unless it has started.
  ///
  /// - Parameters:
  ///   - watched: the file that may change while it is read; `nil` for a pipe.
  ///   - onProgress: called when rows have been counted.
  func start(
    watching watched: (path: String, file: FileBytes)?,
    onProgress: @escaping @MainActor () -> Void
  ) {
    guard !isStarted else { return }
    isStarted = true
    let isQueued = QueuedFlag()
    indexer.start {
      // Only one call is queued: outdated notifications must not delay keys.
      guard isQueued.raise() else { return }
      DispatchQueue.main.async {
        isQueued.lower()
        MainActor.assumeIsolated { onProgress() }
      }
    }
    guard let (path, file) = watched else { return }
    watch = FileWatch(path: path, file: file) { [weak indexer] in indexer?.look() }
    // Detects changes made before the watch began.
    indexer.look()
  }

  func stop() {
    watch?.cancel()
    indexer.stop()
  }

  func adoptReport() { report = indexer.report }

  /// Requests the bytes that the rows shown require, up to `end`.
  func show(upTo end: Int) {
    guard end != shownEnd else { return }
    shownEnd = end
    indexer.want(upTo: end)
  }

  func beginSeek(_ target: SeekTarget) {
    seekTarget = target
    indexer.want(upTo: .max)
  }

  func endSeek() {
    seekTarget = nil
    indexer.want(upTo: shownEnd)
  }
}

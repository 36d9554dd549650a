import Feeds
import Synchronization
import TestSupport
import Testing

@testable import TimelineStore

@MainActor @Suite struct IndexingSessionTests {
  /// Records the requests of a session.
  private final class RecordingIndexer: RowIndexer {
    let index = RowIndex()
    let state = Mutex((report: RowIndexerReport(), wanted: [Int](), starts: 0))

    var report: RowIndexerReport { state.withLock { $0.report } }
    var wanted: [Int] { state.withLock { $0.wanted } }
    func start(_ onProgress: @escaping @Sendable () -> Void) { state.withLock { $0.starts += 1 } }
    func stop() {}
    func want(upTo byte: Int) { state.withLock { $0.wanted.append(byte) } }
  }

  private let indexer = RecordingIndexer()

  @Test func aSeekReadsToTheEndAndThenAsFarAsTheRowsShown() {
    let session = IndexingSession(indexer)
    session.show(upTo: 100)
    session.show(upTo: 100)
    session.beginSeek(.end)
    #expect(session.seekTarget == .end)
    session.endSeek()
    #expect(session.seekTarget == nil)
    #expect(indexer.wanted == [100, .max, 100])
  }

  @Test func theReportChangesOnlyWhenItIsAdopted() {
    let session = IndexingSession(indexer)
    indexer.state.withLock { $0.report.isReading = true }
    #expect(!session.report.isReading)
    session.adoptReport()
    #expect(session.report.isReading)
  }

  @Test func theIndexerStartsOnce() {
    let session = IndexingSession(indexer)
    for _ in 0..<3 { session.start(watching: nil) {} }
    #expect(indexer.state.withLock { $0.starts } == 1)
  }
}

import Feeds

/// The posts of the timeline that is open, growing while its source is read.
///
/// It reads ahead of what is shown by a bounded number of posts and then waits until it is told that
/// more are wanted, so that a pipe without end costs no memory while nobody scrolls.
@MainActor public final class TimelineStore {
  public enum State: Sendable {
    case loading
    /// Enough is read for now; there may be more.
    case waiting
    case complete
    /// Nothing more can be read; what was read stays.
    case failed(SourceError)
  }

  public enum Change: Sendable {
    case appended(Range<Int>)
    case info
    case state
  }

  public private(set) var posts: [Post] = []
  public private(set) var info = TimelineInfo()
  public private(set) var state = State.loading
  /// Called after each change.
  public var onChange: ((Change) -> Void)?

  private let reader: any PostReader
  private var task: Task<Void, Never>?
  private var wantedRow = 0
  private var resume: CheckedContinuation<Void, Never>?

  /// How many posts are read past the last one that anybody wanted to see.
  public static let readAhead = 20_000

  public init(reader: any PostReader) {
    self.reader = reader
  }

  /// Whether no more posts can come.
  public var isComplete: Bool {
    switch state {
    case .complete, .failed: true
    case .loading, .waiting: false
    }
  }

  /// Reads the first posts before anything is shown, for sources that have them at once.
  ///
  /// - Throws: `SourceError` where there is nothing to show.
  public func readFirst() async throws(SourceError) {
    guard task == nil, let batch = try await reader.next() else { return }
    info = batch.info
    posts = batch.posts
  }

  /// Starts reading, or reads on after the first posts.
  public func start() {
    guard task == nil else { return }
    task = Task { [weak self, reader] in
      do throws(SourceError) {
        while !Task.isCancelled, let batch = try await reader.next() {
          guard let self else { return }
          await self.take(batch)
        }
        self?.end(.complete)
      } catch {
        self?.end(.failed(error))
      }
    }
  }

  /// Stops reading; what was read stays.
  public func stop() {
    task?.cancel()
    resume?.resume()
    resume = nil
  }

  /// Says that rows up to `row` are wanted, so that reading goes on where it waited.
  public func want(upToRow row: Int) {
    wantedRow = max(wantedRow, row)
    guard let resume, !isFarAhead else { return }
    self.resume = nil
    change(to: .loading)
    resume.resume()
  }

  private var isFarAhead: Bool {
    wantedRow < Int.max - Self.readAhead && posts.count > wantedRow + Self.readAhead
  }

  private func take(_ batch: SourceReader.Batch) async {
    if batch.info != TimelineInfo(), info != batch.info {
      info = batch.info
      onChange?(.info)
    }
    if !batch.posts.isEmpty {
      let start = posts.count
      posts += batch.posts
      onChange?(.appended(start..<posts.count))
    }
    guard isFarAhead, !Task.isCancelled else { return }
    change(to: .waiting)
    await withCheckedContinuation { resume = $0 }
  }

  private func end(_ state: State) { change(to: state) }

  private func change(to state: State) {
    self.state = state
    onChange?(.state)
  }
}

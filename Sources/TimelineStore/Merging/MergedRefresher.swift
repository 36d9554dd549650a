import Dispatch
import Feeds
import Library
import System

/// Reads merged sources for a screen: the events of `SourceMerger` arrive on any thread, and are
/// passed on to the main actor in their order.
@MainActor final class MergedRefresher: TimelineRefresher {
  let merger: SourceMerger
  private var sources: [MergedSource]
  private(set) var progress: RefreshProgress?
  private(set) var active: Set<FeedID> = []
  /// Feeds whose reading began, over all refreshes.
  private var begun = 0
  private var observers: [@MainActor (TimelineRefreshEvent) -> Void] = []
  private var watch: SettledFilesWatch?
  /// Called when a source was added or has another name.
  var onName: ((Feed) -> Void)?
  /// Called when all sources were read: why nothing can be shown, and what was left out.
  var onEnd: ((_ failure: SourceError?, _ omission: String?) -> Void)?

  /// Passes events on to the main actor.
  @MainActor private final class Relay {
    weak var target: MergedRefresher?
  }

  init(
    _ sources: [MergedSource], _ library: FeedLibrary, _ contents: MergedContents,
    clock: DeadlineClock
  ) {
    self.sources = sources
    let relay = Relay()
    merger = SourceMerger(library, contents, clock: clock) { event in
      DispatchQueue.main.async { MainActor.assumeIsolated { relay.target?.take(event) } }
    }
    relay.target = self
  }

  /// Begins to read the sources; once.
  func start(omission: String?) {
    guard !sources.isEmpty else { return }
    let (merger, sources) = (merger, sources)
    self.sources = []
    let files = sources.flatMap { $0.opened?.files ?? [] }
    if !files.isEmpty {
      watch = SettledFilesWatch(files) {
        Task(executorPreference: WorkerThreads.merging) { await merger.refresh(isLocal: true) }
      }
    }
    progress = RefreshProgress(done: 0, total: sources.count, failed: 0)
    Task.detached(executorPreference: WorkerThreads.merging) { [weak self] in
      if let omission { await merger.note(omission) }
      do throws(LibraryError) {
        try await merger.add(sources)
      } catch {
        await self?.fail(SourceError(error))
      }
    }
  }

  private func fail(_ error: SourceError) {
    progress = nil
    onEnd?(error, nil)
    send(.ended(RefreshProgress(done: 0, total: 0, failed: 0)))
  }

  func stop() {
    watch?.cancel()
    watch = nil
    let merger = merger
    Task(executorPreference: WorkerThreads.merging) { await merger.stop() }
  }

  func refresh(_ scope: TimelineRefreshScope) -> (isStarted: Bool, reason: String) {
    let merger = merger
    switch scope {
    case .due:
      guard progress == nil else { return (false, "the sources are being read already") }
      Task(executorPreference: WorkerThreads.merging) { await merger.refresh() }
    case .feed(let feed):
      guard !active.contains(feed) else { return (false, "it is being read already") }
      Task(executorPreference: WorkerThreads.merging) { await merger.refresh([feed]) }
    }
    return (true, "")
  }

  func observe(_ observer: @escaping @MainActor (TimelineRefreshEvent) -> Void) {
    observers.append(observer)
  }

  private func send(_ event: TimelineRefreshEvent) {
    for observer in observers { observer(event) }
  }

  private func take(_ event: MergeEvent) {
    switch event {
    case .began(let feed):
      begun += 1
      active.insert(feed)
      send(.began(feed))
    case .named(let feed): onName?(feed)
    case .changed(let changes): send(.changed(changes))
    case .deleted: send(.deleted([]))
    case .failed(let feed, let error):
      active.remove(feed)
      send(.failed(feed, error.reason.text))
    case .noticed(let text): send(.noticed(text))
    case .progressed(let new):
      progress = new
      send(.progressed)
    case .ended(let ended): end(ended)
    }
  }

  private func end(_ ended: RefreshProgress) {
    let (merger, begun) = (merger, begun)
    Task { [weak self] in
      let (hasFailed, failures, omission) = await (
        merger.hasFailed, merger.failures, merger.omission
      )
      guard let self else { return }
      onEnd?(hasFailed ? failures.first : nil, omission)
      // Another refresh may have begun meanwhile.
      if begun == self.begun { (progress, active) = (nil, []) }
      send(.ended(ended))
    }
  }
}

/// Records a loader's work: traces each step, counts steps, measures how long each picture has been
/// under way, and reports changes of the activity.
@MainActor final class ImageWorkRecorder {
  /// Called at every step of every picture.
  var onTrace: (@MainActor (ImageTraceEvent) -> Void)?
  /// Called when the activity has changed.
  var onActivityChange: (@MainActor (ImageActivity) -> Void)?
  /// Called when requests have changed that the activity does not show.
  var onRequestChange: (@MainActor () -> Void)?
  private var activity = ImageActivity()
  private(set) var statistics = ImageLoaderStatistics()
  /// When each URL under way was first requested.
  private var requestedAt: [String: ContinuousClock.Instant] = [:]

  /// How long a picture has been under way; zero if it is not.
  func age(of url: String, at now: ContinuousClock.Instant) -> Duration {
    (requestedAt[url] ?? now).duration(to: now)
  }

  /// Records a step of a picture.
  func note(
    _ state: ImageTraceEvent.State, _ url: String, _ priority: ImagePriority, bytes: Int = 0
  ) {
    switch state {
    case .queued: requestedAt[url] = .now
    case .done: statistics.done += 1
    case .failed: statistics.failed += 1
    case .cancelled: statistics.cancelled += 1
    case .retried: statistics.retried += 1
    case .memoryHit: statistics.memoryHits += 1
    case .diskHit: statistics.diskHits += 1
    case .revalidated: statistics.revalidated += 1
    case .started, .header: break
    }
    if [.done, .failed, .cancelled].contains(state) { requestedAt[url] = nil }
    trace(state, url, priority, bytes: bytes)
  }

  /// Records that a request shares the fetch of another.
  func noteJoined() {
    statistics.joined += 1
    onRequestChange?()
  }

  /// Records that a request has another priority.
  func notePriority() { onRequestChange?() }

  /// Records the current activity.
  func note(_ activity: ImageActivity) {
    guard activity != self.activity else { return }
    self.activity = activity
    onActivityChange?(activity)
  }

  /// Records that a fetch was given up for the sake of others and begins again.
  func noteRestart(_ url: String, _ priority: ImagePriority, bytes: Int) {
    trace(.cancelled, url, priority, bytes: bytes)
    trace(.queued, url, priority, bytes: 0)
  }

  private func trace(
    _ state: ImageTraceEvent.State, _ url: String, _ priority: ImagePriority, bytes: Int
  ) {
    guard let onTrace else { return }
    let shown = DataURL.isDataURL(url) ? String(url.prefix(64)) : url
    onTrace(ImageTraceEvent(url: shown, state: state, priority: priority, bytes: bytes))
  }
}

/// Holds back requests for the content of rows that are only scrolled past.
@MainActor public protocol RequestGate: AnyObject {
  /// From now on, no requests are sent.
  func deferRequests()
  /// Sends the requests that are still wanted.
  func resumeRequests()
}

/// The gates of requests, closed and opened together:
///
/// 1. They are closed while rows are moved, drawn or prepared, and opened afterwards.
/// 2. While rows are scrolled past, they stay closed (``hold(until:)``): few of these rows will be
///    looked at.
/// 3. A hold that ends while input is queued opens nothing: the frame after that input does.
@MainActor final class RequestGates {
  private var gates: [any RequestGate] = []
  private let scheduler: MainQueueScheduler
  /// Whether input waits, which will move on from the rows on the screen.
  private let hasQueuedInput: () -> Bool
  /// When the hold ends; `nil` without a hold.
  private var holdEnd: ContinuousClock.Instant?
  private var isReleaseScheduled = false

  init(on scheduler: MainQueueScheduler, hasQueuedInput: @escaping () -> Bool) {
    self.scheduler = scheduler
    self.hasQueuedInput = hasQueuedInput
  }

  /// Adds a gate, which is retained.
  func add(_ gate: any RequestGate) { gates.append(gate) }

  func close() {
    for gate in gates { gate.deferRequests() }
  }

  /// Opens the gates unless there is a hold.
  func open() {
    guard holdEnd == nil else { return }
    for gate in gates { gate.resumeRequests() }
  }

  /// Holds the gates closed until `end`; `nil` ends the hold without opening them.
  func hold(until end: ContinuousClock.Instant?) {
    guard !scheduler.isManual else { return }
    holdEnd = end
    guard let end, !isReleaseScheduled else { return }
    isReleaseScheduled = true
    scheduler.after(max(.zero, end - scheduler.now)) { [weak self] in self?.release() }
  }

  private func release() {
    isReleaseScheduled = false
    guard let end = holdEnd else { return }
    guard end <= scheduler.now else { return hold(until: end) }
    holdEnd = nil
    if !hasQueuedInput() { open() }
  }
}

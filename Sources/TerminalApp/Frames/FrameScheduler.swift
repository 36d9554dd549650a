import Geometry
import Terminal
import TerminalViews

/// Observes frames.
@MainActor public protocol FrameObserver: AnyObject {
  /// A frame is about to be laid out and drawn.
  func frameBegins()
  /// The frame is shown, and the work after it is scheduled.
  func frameEnded()
}

/// The input that takes turns with frames on the main queue.
@MainActor protocol FrameInput: AnyObject {
  /// Whether input is queued for a later turn.
  var isQueued: Bool { get }
  /// Looks up in idle time what the next key needs.
  func prepareForKey()
}

/// Decides when frames are drawn, draws them, and schedules the work between them:
///
/// 1. A frame is drawn in the turn of the main queue after the first request; further requests join
///    it.
/// 2. Arrivals that no one waits for, such as pictures and new rows, wait until the last frame is
///    some milliseconds old, longer if that frame took longer (``FramePace``): arrivals share a
///    frame, and no key waits for frames that show one picture each. The pixels of a picture whose
///    place was just shown wait less.
/// 3. A frame prepares only the rows it shows. The rows around them follow when the terminal has
///    had time to read the frame, one in each turn; others are measured after a quiet time.
/// 4. While more than a screen of rows passes within ``ScrollSpeedMonitor/window``, nothing is
///    requested for them.
@MainActor final class FrameScheduler {
  private enum State {
    case idle
    /// A frame is scheduled.
    case scheduled
    case stopped
  }

  private let window: Window
  private let display: any Display
  private let scheduler: MainQueueScheduler
  private weak var input: (any FrameInput)?
  private(set) var observers: [any FrameObserver] = []
  private lazy var requests = RequestGates(on: scheduler) { [weak self] in
    self?.hasQueuedInput ?? false
  }
  private lazy var idleWork = IdleWork(after: Self.idleDelay, on: scheduler) { [weak self] in
    self?.workIdle() ?? false
  }
  private var pace = FramePace()
  private var state = State.idle
  private var isPreparationScheduled = false
  private var isDrawing = false
  /// The canvas that every frame draws into; the display swaps it on presenting.
  private var canvas = Canvas(size: .zero)

  /// The smallest screen that has room for content.
  private static let minimumSize = Size(width: 8, height: 2)
  /// The quiet time before idle work begins, and the longest time of one slice.
  static let idleDelay = Duration.milliseconds(400)
  private static let idleSlice = Duration.microseconds(1_500)

  init(_ window: Window, on display: any Display, scheduler: MainQueueScheduler) {
    (self.window, self.display, self.scheduler) = (window, display, scheduler)
  }

  /// Sets the input that frames take turns with; it is not retained.
  func takeTurns(with input: any FrameInput) { self.input = input }

  /// Adds an observer, which is retained.
  func add(_ observer: any FrameObserver) { observers.append(observer) }
  /// Removes an observer.
  func remove(_ observer: any FrameObserver) { observers.removeAll { $0 === observer } }

  /// Draws no more frames.
  func stop() { state = .stopped }

  private var hasQueuedInput: Bool { input?.isQueued ?? false }

  // MARK: When frames are drawn

  /// Requests a frame, drawn after all work that is queued on the main queue now.
  func setNeedsFrame() {
    idleWork.noteActivity()
    guard state == .idle else { return }
    state = .scheduled
    scheduler.later { [weak self] in self?.drawFrame() }
  }

  /// Requests a frame for something that arrived by itself; rule 2.
  ///
  /// - Parameter isCompleting: whether it completes what the last frame showed unfinished: it then
  ///   waits no longer than that frame took.
  func setNeedsFrameSoon(completing isCompleting: Bool = false) {
    guard state == .idle else { return }
    guard !scheduler.isManual else { return setNeedsFrame() }
    idleWork.noteActivity()
    guard let time = pace.wait(at: scheduler.now, completing: isCompleting) else { return }
    guard time > .zero else { return setNeedsFrame() }
    scheduler.after(time) { [weak self] in
      guard let self, pace.isDue(at: scheduler.now) else { return }
      setNeedsFrame()
    }
  }

  /// A view has changed. A change while a frame is drawn is part of that frame.
  func viewsChanged() {
    if !isDrawing { setNeedsFrameSoon() }
  }

  /// Lays out the window for the display's size, and requests a frame.
  func displayChanged() {
    setNeedsFrame()
    window.layout(size: display.size)
  }

  // MARK: Drawing

  /// Lays out the content of the first frame, while the terminal is still answering the startup
  /// queries.
  func layOutFirstFrame() {
    guard hasRoom(display.size) else { return }
    requests.close()
    isDrawing = true
    window.prepareFrame()
    isDrawing = false
  }

  private func hasRoom(_ size: Size) -> Bool {
    size.width >= Self.minimumSize.width && size.height >= Self.minimumSize.height
  }

  private func drawFrame() {
    guard state == .scheduled else { return }
    state = .idle
    let start = scheduler.now
    defer { pace.noteFrame(at: scheduler.now, taking: start.duration(to: scheduler.now)) }
    for observer in observers { observer.frameBegins() }
    defer { for observer in observers { observer.frameEnded() } }
    let size = display.size
    // Requests wait until the frame is shown.
    requests.close()
    guard hasRoom(size) else {
      requests.open()
      return presentTooSmall(size)
    }
    isDrawing = true
    window.prepareFrame()
    window.draw(on: &canvas)
    isDrawing = false
    let drawn = scheduler.now
    let cursor = window.cursor
    display.present(
      &canvas, cursor: cursor?.position, showsCursor: cursor?.isVisible ?? false)
    let time = scheduler.now - drawn
    window.forEachResponder { $0.framePresented(in: time) }
    // Queued input moves on from these rows, so nothing is requested for them.
    if !hasQueuedInput { requests.open() }
    prepareAhead()
    if !scheduler.isManual { idleWork.begin() }
  }

  private func presentTooSmall(_ size: Size) {
    canvas = Canvas(size: size)
    let text = "too small"
    for (index, character) in text.enumerated() where size.width > 0 {
      canvas.draw(
        String(character), at: Point(x: index % size.width, y: index / size.width))
    }
    display.present(&canvas, cursor: nil, showsCursor: false)
  }

  // MARK: Between frames

  /// Has views prepare content for the next frames, a piece in each turn of the main queue, so that
  /// a key waits for one piece at most. The first piece waits until the terminal has had time to
  /// read the frame.
  func prepareAhead() {
    guard !isPreparationScheduled else { return }
    isPreparationScheduled = true
    scheduler.afterTerminalHasRun { [weak self] in self?.preparePiece() }
  }

  private func preparePiece() {
    isPreparationScheduled = false
    // After a scheduled frame, preparing starts again.
    guard state == .idle, !hasQueuedInput else { return }
    requests.close()
    var hasMore = false
    window.forEachResponder { if $0.prepareAhead() { hasMore = true } }
    requests.open()
    guard hasMore else { return }
    isPreparationScheduled = true
    scheduler.later { [weak self] in self?.preparePiece() }
  }

  /// - Returns: whether there is more to do.
  private func workIdle() -> Bool {
    guard state != .stopped else { return false }
    input?.prepareForKey()
    requests.close()
    defer { requests.open() }
    let end = scheduler.now + Self.idleSlice
    var hasMore = true
    while hasMore, scheduler.now < end {
      hasMore = false
      window.forEachResponder { if $0.workIdle() { hasMore = true } }
    }
    return hasMore
  }

  // MARK: Requests

  /// Adds a gate, which holds back requests while rows are moved, drawn or scrolled past; it is
  /// retained.
  func add(_ gate: any RequestGate) { requests.add(gate) }

  /// Closes the gates until the next frame is shown.
  func deferRequests() { requests.close() }

  /// Keeps the gates closed until `end`, because rows are scrolled past; `nil` ends that without
  /// opening them.
  func holdRequests(until end: ContinuousClock.Instant?) { requests.hold(until: end) }
}

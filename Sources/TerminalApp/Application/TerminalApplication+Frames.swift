import Geometry
import Terminal
import TerminalViews

/// When frames are drawn, and the work between them:
///
/// 1. A frame is drawn in the turn of the main queue after the first request; further requests join
///    it.
/// 2. Arrivals that no one waits for, such as pictures and new rows, wait until the last frame is
///    some milliseconds old, longer if that frame took longer (``FramePace``): arrivals share a
///    frame, and no key waits for frames that show one picture each. The pixels of a picture whose
///    place was just shown wait less.
/// 3. A frame prepares only the rows it shows. The rows around them follow when the terminal has
///    had time to read the frame, one in each turn; others are measured after a quiet time.
/// 4. While more than a screen of rows passes within ``ScrollSpeedMonitor/window``, nothing is requested
///    for them.
extension TerminalApplication {
  /// Requests a frame, drawn after all work that is queued on the main queue now.
  public func setNeedsFrame() {
    idleWork.noteActivity()
    guard !isFrameScheduled, exitStatus == nil else { return }
    isFrameScheduled = true
    scheduler.later { [weak self] in self?.drawFrame() }
  }

  /// Requests a frame for something that arrived by itself; rule 2.
  public func setNeedsFrameSoon() { setNeedsFrame { $0.nextFrame(at: .now) } }

  /// Requests a frame that completes what the last one showed unfinished, such as the pixels of a
  /// picture whose place is visible: it waits no longer than that frame took.
  package func setNeedsCompletingFrame() { setNeedsFrame { $0.nextFrame(completingAt: .now) } }

  private func setNeedsFrame(by pace: (inout FramePace) -> FramePace.Answer) {
    guard !isFrameScheduled, exitStatus == nil else { return }
    guard !scheduler.isManual else { return setNeedsFrame() }
    switch pace(&self.pace) {
    case .now: setNeedsFrame()
    case .isAwaited: idleWork.noteActivity()
    case .after(let time):
      idleWork.noteActivity()
      scheduler.after(time) { [weak self] in
        guard let self, self.pace.isDue(at: .now) else { return }
        self.setNeedsFrame()
      }
    }
  }

  /// A view has changed. A change while a frame is drawn is part of that frame.
  func viewsChanged() {
    if !isDrawing { setNeedsFrameSoon() }
  }

  /// Shows `text` in the status line until the next key and, unless it is a hint, records it.
  public func tell(_ text: String, _ kind: StatusMessages.Kind = .information) {
    notices.tell(text, kind)
    setNeedsFrame()
  }

  /// Shows why a request is refused.
  func refuse(_ reason: String) { tell(reason, .refusal) }

  func drawFrame() {
    isFrameScheduled = false
    guard exitStatus == nil else { return }
    let start = ContinuousClock.now
    defer { pace.noteFrame(at: .now, taking: start.duration(to: .now)) }
    for observer in observers { observer.frameBegins() }
    let size = display.size
    // Requests wait until the frame is shown.
    deferRequests()
    guard size.width >= Self.minimumSize.width, size.height >= Self.minimumSize.height else {
      resumeRequests()
      return presentTooSmall(size)
    }
    isDrawing = true
    window.prepareFrame()
    window.draw(on: &canvas)
    isDrawing = false
    let drawn = ContinuousClock.now
    let cursor = window.cursor
    display.present(
      &canvas, cursor: cursor?.position, showsCursor: cursor?.isVisible ?? false)
    let time = ContinuousClock.now - drawn
    window.forEachFrameParticipant { $0.framePresented(in: time) }
    // Queued input moves on from these rows, so nothing is requested for them.
    if queue.isEmpty { resumeRequests() }
    prepareAhead()
    if !scheduler.isManual { idleWork.begin() }
    for observer in observers { observer.frameEnded() }
  }

  /// Has views prepare content for the next frames, a piece in each turn of the main queue, so that
  /// a key waits for one piece at most. The first piece waits until the terminal has had time to
  /// read the frame.
  public func prepareAhead() {
    guard !isPreparationScheduled else { return }
    isPreparationScheduled = true
    scheduler.afterTerminalHasRun { [weak self] in self?.preparePiece() }
  }

  private func preparePiece() {
    isPreparationScheduled = false
    // A frame is scheduled, and preparing starts again after it.
    guard exitStatus == nil, !isFrameScheduled, queue.isEmpty else { return }
    deferRequests()
    var hasMore = false
    window.forEachFrameParticipant { if $0.prepareAhead() { hasMore = true } }
    resumeRequests()
    guard hasMore else { return }
    isPreparationScheduled = true
    scheduler.later { [weak self] in self?.preparePiece() }
  }

  /// - Returns: whether there is more to do.
  func workIdle() -> Bool {
    guard exitStatus == nil else { return false }
    // Prepares the next key: the runtime searches for the responders on the first lookup.
    _ = currentTarget
    deferRequests()
    defer { resumeRequests() }
    let end = ContinuousClock.now + Self.idleSlice
    var hasMore = true
    while hasMore, .now < end {
      hasMore = false
      window.forEachFrameParticipant { if $0.workIdle() { hasMore = true } }
    }
    return hasMore
  }

  /// Defers requests until `end`, if not `nil`: rows are scrolled past, and few of them will be
  /// looked at.
  func holdRequests(until end: ContinuousClock.Instant?) {
    guard !scheduler.isManual else { return }
    requestsDeferredUntil = end
    guard let end, !isReleaseScheduled else { return }
    isReleaseScheduled = true
    scheduler.after(max(.zero, end - .now)) { [weak self] in
      guard let self else { return }
      self.isReleaseScheduled = false
      guard let end = self.requestsDeferredUntil else { return }
      guard end <= .now else { return self.holdRequests(until: end) }
      self.requestsDeferredUntil = nil
      if self.queue.isEmpty { self.resumeRequests() }
    }
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
}

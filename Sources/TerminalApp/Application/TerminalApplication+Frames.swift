import Geometry
import Terminal
import TerminalViews

/// When frames are drawn, and what is done between them:
///
/// 1. A frame follows in the turn of the main queue after the one that asks for it, however many
///    ask.
/// 2. What nobody has asked for at this moment, a picture or new rows, waits until the last frame
///    is some milliseconds old, the more the longer it took (``FramePace``): what arrives meanwhile
///    is shown together, and no key waits for frames that show one picture each. The pixels of a
///    picture whose place was just shown wait less.
/// 3. A frame makes ready only what it shows. The rows around it follow when the terminal had time
///    to read it, one in a turn, then, when nothing has happened for a while, others are measured.
/// 4. While more than a screen of rows passes within ``PassingRows/window`` nothing is asked for
///    them.
extension TerminalApplication {
  /// Asks for a frame after everything that is under way on the main queue now.
  public func setNeedsFrame() {
    idleWork.noteActivity()
    guard !isFrameScheduled, exitStatus == nil else { return }
    isFrameScheduled = true
    turns.later { [weak self] in self?.drawFrame() }
  }

  /// Asks for a frame that nobody waits for; rule 2.
  public func setNeedsFrameSoon() { setNeedsFrame { $0.nextFrame(at: .now) } }

  /// Asks for a frame that completes what the last one showed unfinished, as the pixels of a
  /// picture do whose place is there: it waits no longer than that frame took.
  package func setNeedsCompletingFrame() { setNeedsFrame { $0.nextFrame(completingAt: .now) } }

  private func setNeedsFrame(by pace: (inout FramePace) -> FramePace.Answer) {
    guard !isFrameScheduled, exitStatus == nil else { return }
    guard !turns.areManual else { return setNeedsFrame() }
    switch pace(&self.pace) {
    case .now: setNeedsFrame()
    case .isAwaited: idleWork.noteActivity()
    case .after(let time):
      idleWork.noteActivity()
      turns.after(time) { [weak self] in
        guard let self, self.pace.isDue(at: .now) else { return }
        self.setNeedsFrame()
      }
    }
  }

  /// A view has changed. What is drawn now is shown already.
  func viewsChanged() {
    if !isDrawing { setNeedsFrameSoon() }
  }

  /// Shows `text` in the status line until the next key, and records it, unless it is a hint, to be
  /// read again.
  public func tell(_ text: String, _ kind: Notices.Kind = .information) {
    notices.tell(text, kind)
    setNeedsFrame()
  }

  /// Says why something that was asked for is not done.
  func refuse(_ reason: String) { tell(reason, .refusal) }

  func drawFrame() {
    isFrameScheduled = false
    guard exitStatus == nil else { return }
    let start = ContinuousClock.now
    defer { pace.noteFrame(at: .now, taking: start.duration(to: .now)) }
    for observer in observers { observer.frameBegins() }
    let size = display.size
    // What is asked for can wait until the frame is shown.
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
    window.forEachWorker { $0.framePresented(in: time) }
    // Rows on their way to others ask for no pictures.
    if queue.isEmpty { resumeRequests() }
    prepareAhead()
    if !turns.areManual { idleWork.begin() }
    for observer in observers { observer.frameEnded() }
  }

  /// Has views make ready what the next frames may show, a piece in each turn of the main queue, so
  /// that a key waits for one at most. Before the first the terminal has time to read the frame.
  public func prepareAhead() {
    guard !isPreparing else { return }
    isPreparing = true
    turns.whenTerminalHadTime { [weak self] in self?.preparePiece() }
  }

  private func preparePiece() {
    isPreparing = false
    // After a frame that is to come there is another turn.
    guard exitStatus == nil, !isFrameScheduled, queue.isEmpty else { return }
    deferRequests()
    var hasMore = false
    window.forEachWorker { if $0.prepareAhead() { hasMore = true } }
    resumeRequests()
    guard hasMore else { return }
    isPreparing = true
    turns.later { [weak self] in self?.preparePiece() }
  }

  /// - Returns: whether there is more to do.
  func workIdle() -> Bool {
    guard exitStatus == nil else { return false }
    // For the next key: the runtime searches for views that answer keys when it is first asked.
    _ = currentTarget
    deferRequests()
    defer { resumeRequests() }
    let end = ContinuousClock.now + Self.idleSlice
    var hasMore = true
    while hasMore, .now < end {
      hasMore = false
      window.forEachWorker { if $0.workIdle() { hasMore = true } }
    }
    return hasMore
  }

  /// Has nothing be asked for before `end`, where there is one: rows are only passed, and few of
  /// them will be looked at.
  func holdRequests(until end: ContinuousClock.Instant?) {
    guard !turns.areManual else { return }
    requestsHeldUntil = end
    guard let end, !isReleaseScheduled else { return }
    isReleaseScheduled = true
    turns.after(max(.zero, end - .now)) { [weak self] in
      guard let self else { return }
      self.isReleaseScheduled = false
      guard let end = self.requestsHeldUntil else { return }
      guard end <= .now else { return self.holdRequests(until: end) }
      self.requestsHeldUntil = nil
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

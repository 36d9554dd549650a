import Dispatch
import Geometry
import System
import Terminal
import TerminalViews

/// When frames are drawn, and what is done between them:
///
/// 1. A frame follows in the turn of the main queue after the one that asks for it, however many ask.
/// 2. What nobody has asked for at this moment, a picture or new rows, waits until the last frame is
///    ``FramePace/interval`` old: what arrives meanwhile is shown together, and no key waits for frames
///    that show one picture each.
/// 3. A frame makes ready only what it shows. The rows around it follow, one in a turn, then, when nothing
///    has happened for a while, others are measured.
extension ListScreen {
  /// Asks for a frame after everything that is under way on the main queue now.
  public func setNeedsFrame() {
    idleWork.noteActivity()
    guard !isFrameScheduled, exitStatus == nil else { return }
    isFrameScheduled = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.drawFrame() }
    }
  }

  /// Asks for a frame that nobody waits for; rule 2.
  public func setNeedsFrameSoon() {
    guard !isFrameScheduled, exitStatus == nil else { return }
    switch pace.nextFrame(at: .now) {
    case .now: setNeedsFrame()
    case .isAwaited: idleWork.noteActivity()
    case .after(let time):
      idleWork.noteActivity()
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(time.wholeNanoseconds)) {
        [weak self] in
        MainActor.assumeIsolated {
          guard let self, self.pace.isDue(at: .now) else { return }
          self.setNeedsFrame()
        }
      }
    }
  }

  /// Shows `text` in the status line until the next key.
  public func show(message text: String) {
    message = text
    setNeedsFrame()
  }

  func drawFrame() {
    isFrameScheduled = false
    guard exitStatus == nil else { return }
    defer { pace.noteFrame(at: .now) }
    let started = trace.map { _ in SystemClock.processorTime }
    let began = SystemClock.monotonic
    let size = screen.size
    // What is asked for can wait until the frame is shown.
    content.pictures.deferRequests()
    guard size.width >= Self.minimumSize.width, size.height >= Self.minimumSize.height else {
      content.pictures.resumeRequests()
      return presentTooSmall(size)
    }
    listView.layoutList(preparesSurroundings: false)
    if canvas.size == size {
      canvas.clear(outside: isHelpOpen ? .zero : listView.frame)
    } else {
      canvas = Canvas(size: size)
    }
    if isHelpOpen {
      helpView.render(into: &canvas, origin: helpView.frame.origin)
    } else {
      listView.render(into: &canvas, origin: listView.frame.origin)
      inspector.drift.observe(listView, on: canvas)
      pill.count = listView.newRowsAbove
      pill.arrange(in: listView.frame)
      pill.render(into: &canvas, origin: pill.frame.origin)
      inspector.draw(
        in: &canvas, list: listView, pictures: content.pictures, depth: screen.colorDepth)
    }
    updateStatus()
    statusBar.render(into: &canvas, origin: statusBar.frame.origin)
    let laidOut = ContinuousClock.now
    screen.present(&canvas, cursor: isHelpOpen ? nil : listView.cursorPosition)
    notePresented(in: .now - laidOut)
    // Rows on their way to others ask for no pictures.
    if queue.isEmpty { content.pictures.resumeRequests() }
    prepareSurroundings()
    idleWork.begin()
    inspector.frameTimes.record(SystemClock.monotonic - began)
    if let visible = listView.visibleRows { content.didShow(rows: visible) }
    if let started { traceFrame(started: started) }
  }

  /// Makes the rows around the screen ready, one in each turn of the main queue, so that a key waits for
  /// one at most.
  func prepareSurroundings() {
    guard !isPreparing else { return }
    isPreparing = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.isPreparing = false
        // After a frame that is to come there is another turn.
        guard self.exitStatus == nil, !self.isFrameScheduled, self.queue.isEmpty else { return }
        self.content.pictures.deferRequests()
        let hasMore = self.listView.prepareSurroundings()
        self.content.pictures.resumeRequests()
        if hasMore { self.prepareSurroundings() }
      }
    }
  }

  /// Measures a few rows that do not show, so that the scroll bar and the next page are right before they
  /// are needed. Not while rows are still being counted: their places are guesses.
  ///
  /// - Returns: whether there is more to do.
  func measureIdleRows() -> Bool {
    guard exitStatus == nil, content.isComplete, motion == nil else { return false }
    content.pictures.deferRequests()
    defer { content.pictures.resumeRequests() }
    let end = ContinuousClock.now + Self.idleSlice
    var hasMore = true
    while hasMore, .now < end { hasMore = listView.measureIdleRows(budget: 1) }
    return hasMore
  }

  private func presentTooSmall(_ size: Size) {
    canvas = Canvas(size: size)
    let text = "too small"
    for (index, character) in text.enumerated() where size.width > 0 {
      canvas.draw(
        String(character), at: Point(x: index % size.width, y: index / size.width))
    }
    screen.present(&canvas, cursor: nil)
  }
}

import Geometry
import Terminal
import TerminalViews
import Testing

@testable import TerminalApp

/// A view that records what the frame scheduler asks for, with the time in milliseconds.
private final class Probe: View, Responder, FrameObserver, FrameInput, RequestGate {
  let commands = CommandTable()
  private let scheduler: SteppedScheduler
  private(set) var log: [String] = []
  /// When frames began.
  private(set) var frames: [Int] = []
  private(set) var isGateOpen = true
  /// How long a frame takes.
  var frameTime = Duration.zero
  /// The pieces to prepare, and those of idle work, each of which takes a millisecond.
  var pieces = 0
  var idlePieces = 0
  var isQueued = false
  /// Called while a frame is prepared, and when it is shown.
  var onPrepare: () -> Void = {}
  var onPresent: () -> Void = {}

  init(_ scheduler: SteppedScheduler) {
    self.scheduler = scheduler
    super.init(name: "probe")
  }

  private func record(_ text: String) {
    log.append("\(scheduler.milliseconds) \(text)\(isGateOpen ? " open" : "")")
  }

  func frameBegins() { frames.append(scheduler.milliseconds) }
  func frameEnded() { record("frame") }

  func prepareFrame() {
    onPrepare()
    scheduler.spend(frameTime)
  }

  func framePresented(in time: Duration) { onPresent() }

  func prepareAhead() -> Bool {
    guard pieces > 0 else { return false }
    pieces -= 1
    record("piece")
    scheduler.spend(.milliseconds(1))
    return pieces > 0
  }

  func prepareForKey() { record("key") }

  func workIdle() -> Bool {
    guard idlePieces > 0 else { return false }
    idlePieces -= 1
    record("idle")
    scheduler.spend(.milliseconds(1))
    return idlePieces > 0
  }

  func deferRequests() { isGateOpen = false }
  func resumeRequests() { isGateOpen = true }
}

@MainActor @Suite struct FrameSchedulerTests {
  private let scheduler = SteppedScheduler()
  private let display = CanvasDisplay(size: Size(width: 20, height: 5))
  private let probe: Probe
  private let frames: FrameScheduler

  init() {
    probe = Probe(scheduler)
    frames = FrameScheduler(
      Window(probe, theme: .standard), on: display, scheduler: scheduler)
    frames.takeTurns(with: probe)
    frames.add(probe as any FrameObserver)
    frames.add(probe as any RequestGate)
  }

  // MARK: When frames are drawn

  /// A column is a millisecond: `k` is a key, `a` an arrival, `p` pixels of a visible picture; `F`
  /// is the beginning of a frame.
  @Test(
    arguments: [
      ("k...........", "F...........", 0),
      ("kkk.........", "FFF.........", 0),
      ("a...........", "F...........", 0),
      // Arrivals share a frame 8 ms after the last one.
      ("k..a.a......", "F.......F...", 0),
      ("k.........a.", "F.........F.", 0),
      // A key does not wait, and its frame shows the arrival.
      ("k..a.k......", "F....F......", 0),
      ("k..a.k.a....", "F....F.......F", 0),
      // After a frame of 2 ms, pixels wait as long, arrivals four times as long, at least 8 ms.
      ("k..p........", "F...F.......", 2),
      ("k..ap.......", "F...F.......", 2),
      ("k.pa........", "F...F.......", 2),
      ("k..a........", "F.........F.", 2),
      ("k...a............", "F..............F.", 3),
      ("k...ap..............", "F.....F.............", 3),
    ])
  func framesFollowKeysAtOnceAndArrivalsInBatches(events: String, begins: String, time: Int) {
    probe.frameTime = .milliseconds(time)
    for (column, event) in events.enumerated() {
      scheduler.advance(to: column)
      switch event {
      case "k": frames.setNeedsFrame()
      case "a": frames.setNeedsFrameSoon()
      case "p": frames.setNeedsFrameSoon(completing: true)
      default: break
      }
    }
    scheduler.advance(to: 100)
    #expect(probe.frames == begins.enumerated().filter { $0.element == "F" }.map(\.offset))
  }

  @Test func requestsInATurnShareAFrame() {
    for _ in 0..<3 { frames.setNeedsFrame() }
    frames.setNeedsFrameSoon()
    #expect(probe.frames.isEmpty, "it follows the work that is queued already")
    scheduler.advance(to: 50)
    #expect(probe.frames == [0])
  }

  @Test func changesWhileAFrameIsPreparedNeedNoOther() {
    probe.onPrepare = { [unowned frames] in frames.viewsChanged() }
    frames.setNeedsFrame()
    scheduler.advance(to: 50)
    #expect(probe.frames == [0])
    frames.viewsChanged()
    scheduler.advance(to: 100)
    #expect(probe.frames == [0, 50])
  }

  @Test func aFrameRequestedWhileOneIsDrawnFollowsIt() {
    probe.onPrepare = { [unowned probe, unowned frames] in
      if probe.frames.count < 3 { frames.setNeedsFrame() }
    }
    frames.setNeedsFrame()
    scheduler.advance(to: 50)
    #expect(probe.frames == [0, 0, 0])
  }

  @Test func aDisplayOfAnotherSizeIsLaidOutAtOnce() {
    frames.displayChanged()
    #expect(probe.frame.size == Size(width: 20, height: 5))
    display.resize(to: Size(width: 30, height: 4))
    frames.displayChanged()
    #expect(probe.frame.size == Size(width: 30, height: 4))
    scheduler.advance()
    #expect(display.shown.size == Size(width: 30, height: 4) && probe.frames == [0])
  }

  @Test func noViewIsAskedOnAScreenThatIsTooSmall() {
    display.resize(to: Size(width: 7, height: 2))
    (probe.pieces, probe.idlePieces) = (1, 1)
    frames.displayChanged()
    scheduler.advance(to: 1_000)
    // Observers see its end.
    #expect(probe.frames == [0] && probe.log == ["0 frame open"] && probe.isGateOpen)
    #expect(display.shown.text(row: 0) == "too sma")
  }

  @Test func nothingIsDrawnAfterTheEnd() {
    (probe.pieces, probe.idlePieces) = (2, 2)
    frames.setNeedsFrame()
    scheduler.advance()
    #expect(probe.log == ["0 frame open"])
    frames.setNeedsFrame()
    frames.stop()
    frames.setNeedsFrame()
    frames.setNeedsFrameSoon()
    scheduler.advance(to: 1_000)
    #expect(probe.log == ["0 frame open"] && scheduler.isIdle)
  }

  // MARK: Between frames

  @Test func piecesArePreparedInTurnsOfTheirOwn() {
    probe.pieces = 3
    frames.setNeedsFrame()
    scheduler.advance(to: 1)
    #expect(probe.log == ["0 frame open", "1 piece"], "the terminal reads the frame first")
    #expect(probe.isGateOpen)
    scheduler.advance(to: 10)
    #expect(probe.log == ["0 frame open", "1 piece", "2 piece", "3 piece"])
  }

  @Test func aScheduledFrameComesBeforePieces() {
    probe.pieces = 2
    frames.setNeedsFrame()
    scheduler.advance()
    scheduler.spend(.milliseconds(1))
    frames.setNeedsFrame()
    scheduler.advance(to: 10)
    #expect(probe.log == ["0 frame open", "1 frame open", "2 piece", "3 piece"])
  }

  @Test func queuedInputComesBeforePieces() {
    (probe.pieces, probe.isQueued) = (2, true)
    frames.setNeedsFrame()
    scheduler.advance(to: 10)
    #expect(probe.log == ["0 frame"], "its requests wait, too")
    probe.isQueued = false
    frames.setNeedsFrame()
    scheduler.advance(to: 20)
    #expect(probe.log == ["0 frame", "10 frame open", "11 piece", "12 piece"])
  }

  @Test func idleWorkBeginsAfterAQuietTimeAndEnds() {
    probe.idlePieces = 3
    frames.setNeedsFrame()
    scheduler.advance(to: 300)
    frames.setNeedsFrameSoon()
    scheduler.advance(to: 2_000)
    #expect(
      probe.log == [
        "0 frame open", "300 frame open", "700 key open", "700 idle", "701 idle", "702 key open",
        "702 idle",
      ])
    #expect(probe.isGateOpen && scheduler.isIdle, "no timer is left")
  }

  // MARK: Requests

  @Test func requestsWaitUntilRowsAreNoLongerScrolledPast() {
    probe.onPresent = { [unowned probe, unowned frames, scheduler] in
      frames.holdRequests(until: probe.frames.count < 3 ? scheduler.now + .milliseconds(150) : nil)
    }
    for time in [0, 100] {
      scheduler.advance(to: time)
      frames.deferRequests()
      frames.setNeedsFrame()
    }
    scheduler.advance(to: 249)
    #expect(probe.log == ["0 frame", "100 frame"] && !probe.isGateOpen)
    scheduler.advance(to: 250)
    #expect(probe.isGateOpen)
    frames.setNeedsFrame()
    scheduler.advance(to: 260)
    #expect(probe.log.last == "250 frame open")
  }
}

/// The first frame of a program.
@MainActor @Suite struct FirstFrameTests {
  private final class Prepared: View, Responder {
    let commands = CommandTable()
    var onPrepare: () -> Void = {}

    func prepareFrame() { onPrepare() }
  }

  private func begin(on display: CanvasDisplay, _ note: @escaping (String) -> Void) {
    let view = Prepared(name: "prepared")
    let scheduler = MainQueueScheduler(isManual: true)
    let application = TerminalApplication(view, display: display, scheduler: scheduler)
    view.onPrepare = { note("laid out") }
    display.onAwait = { note("awaited") }
    application.begin()
    note("begun")
    scheduler.run()
  }

  /// Rows are laid out while the terminal answers, and not first when it has.
  @Test func itIsLaidOutBeforeTheAnswersAreAwaited() {
    var log: [String] = []
    begin(on: CanvasDisplay(size: Size(width: 40, height: 10))) { log.append($0) }
    #expect(log == ["laid out", "awaited", "begun", "laid out"])
  }

  @Test func aScreenWithoutRoomIsNotLaidOut() {
    var log: [String] = []
    begin(on: CanvasDisplay(size: Size(width: 4, height: 1))) { log.append($0) }
    #expect(log == ["awaited", "begun"])
  }
}

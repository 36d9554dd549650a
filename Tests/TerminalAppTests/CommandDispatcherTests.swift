import Geometry
import Terminal
import TerminalViews
import TestSupport
import Testing

@testable import TerminalApp

/// A view whose commands are recorded, each of which may take time.
private final class Pad: View, Responder {
  private(set) var log: [String] = []
  /// How often the commands were looked up.
  private(set) var lookups = 0
  /// Called when a command is performed.
  var onCall: (CommandCall) -> CommandOutcome = { _ in .done }
  private let table = CommandTable()
  let canBeFocused = true

  override init(name: String = "pad") {
    super.init(name: name)
    table.add(
      [
        Command("move", "m", "wheel-down", help: "", maximumAtOnce: 4) { $0.call($1) },
        Command("act", "a", "z a", help: "") { $0.call($1) },
      ], of: self)
  }

  var commands: CommandTable { table }

  var priorityCommands: CommandTable? {
    lookups += 1
    return nil
  }

  private func call(_ call: CommandCall) -> CommandOutcome {
    log.append(call.count.map { "\(call.name) \($0)" } ?? call.name)
    return onCall(call)
  }

  func mouse(_ event: MouseEvent) -> Bool {
    log.append("mouse")
    return true
  }
}

private final class FrameRecorder: FrameObserver {
  private(set) var count = 0
  func frameBegins() { count += 1 }
  func frameEnded() {}
}

@MainActor @Suite struct CommandDispatcherTests {
  private let pad = Pad()
  private let parts: ApplicationParts
  private let frames = FrameRecorder()

  init() {
    parts = ApplicationParts(pad)
    parts.frames.add(frames)
  }

  private var scheduler: SteppedScheduler { parts.scheduler }

  /// Handles events that arrive together.
  @discardableResult private func send(_ events: [InputEvent]) -> Int32? {
    parts.dispatcher.handle(events)
  }

  private func type(_ text: String) { send(InputEvent.typing(text)) }

  // MARK: Turns of work

  @Test func movesJoinAndOneFrameShowsAll() {
    type("mmmamm2mz")
    #expect(pad.log == ["move 3", "act", "move 2", "move 2"])
    #expect(parts.dispatcher.pendingKeys == "z")
    scheduler.advance(by: .milliseconds(20))
    #expect(frames.count == 1)
    type("a")
    #expect(pad.log.last == "act" && parts.dispatcher.pendingKeys.isEmpty)
  }

  @Test func aLargeCountIsCarriedOutInParts() {
    type("10m")
    #expect(pad.log == ["move 4", "move 4", "move 2"])
  }

  @Test func theRestOfAnExhaustedMoveIsDropped() {
    pad.onCall = { [unowned pad] _ in pad.log.count == 2 ? .exhausted : .done }
    type("999ma")
    #expect(pad.log == ["move 4", "move 4", "act"])
  }

  /// Each call takes 30 ms, so that a turn has time for two.
  @Test func longWorkGoesOnAfterAFrame() {
    pad.onCall = { [scheduler] _ in
      scheduler.spend(.milliseconds(30))
      return .done
    }
    type("20m")
    #expect(pad.log == ["move 4", "move 4"] && frames.count == 0)
    #expect(parts.dispatcher.isQueued)
    // It waits behind the move.
    type("a")
    #expect(pad.log.count == 2)
    // A frame, the next turn, and its frame.
    scheduler.advance()
    #expect(pad.log == ["move 4", "move 4", "move 4", "move 4"] && frames.count == 2)
    scheduler.advance(by: .milliseconds(100))
    #expect(pad.log.suffix(2) == ["move 4", "act"])
    #expect(frames.count == 3 && !parts.dispatcher.isQueued)
  }

  @Test func onlyASingleEventIsAlone() {
    var alone: [Bool] = []
    pad.onCall = { call in
      alone.append(call.isAlone)
      return .done
    }
    type("m")
    type("ma")
    type("9m")
    #expect(alone == [true, false, false, false, false, false])
  }

  @Test func aResizedDisplayIsLaidOutAtOnce() {
    parts.display.resize(to: Size(width: 30, height: 8))
    send([.key(.character("m")), .resize(Size(width: 30, height: 8))])
    #expect(pad.frame.size == Size(width: 30, height: 8) && pad.log == ["move"])
  }

  // MARK: Ends

  @Test(
    arguments: [
      (.key(.character("c"), .control), 130), (.terminate(15), 143), (.terminate(1), 129),
    ] as [(InputEvent, Int32)])
  func interruptsAndSignalsDropWhatWasTyped(event: InputEvent, status: Int32) {
    #expect(send(InputEvent.typing("mm") + [event]) == status)
    #expect(pad.log.isEmpty)
  }

  @Test func controlCMayBeAKeyLikeOthers() {
    parts.dispatcher.endsOnInterrupt = false
    #expect(send([.key(.character("c"), .control)]) == nil)
    #expect(parts.notices.current?.text == "Ctrl-C does nothing here")
  }

  @Test func nothingIsPerformedAfterTheEnd() {
    pad.onCall = { [unowned dispatcher = parts.dispatcher] _ in
      dispatcher.stop()
      return .done
    }
    type("aam")
    type("a")
    scheduler.advance(by: .milliseconds(100))
    #expect(pad.log == ["act"])
    #expect(send([.terminate(15)]) == nil)
  }

  // MARK: The target

  @Test func theTargetIsLookedUpOncePerCommand() {
    type("mmmm")
    #expect(pad.lookups == 1)
    type("aaa")
    #expect(pad.lookups == 1 + 3)
    parts.dispatcher.prepareForKey()
    parts.dispatcher.prepareForKey()
    #expect(pad.lookups == 1 + 3 + 1)
  }

  @Test func aCommandMayMoveTheFocus() {
    let inner = Pad(name: "inner")
    pad.addSubview(inner)
    parts.window.focus(pad)
    pad.onCall = { [unowned window = parts.window, unowned inner] call in
      if call.name == "act" { window.focus(inner) }
      return .done
    }
    type("mam")
    #expect(pad.log == ["move", "act"] && inner.log == ["move"])
    inner.onCall = { _ in .passed }
    type("2m")
    #expect(inner.log.last == "move 2" && pad.log.last == "move 2", "it passes to the view around")
  }

  @Test func textGoesToTheFieldAsOneText() {
    let field = TextField()
    var changes: [String] = []
    field.onChange = { changes.append($0) }
    let parts = ApplicationParts(field)
    _ = parts.dispatcher.handle(InputEvent.typing("tide") + [.paste("s\nrise"), .key(.left)])
    #expect(changes == ["tides rise"])
  }

  @Test func thePointerChoosesTheView() {
    let inside = Point(x: 1, y: 1)
    send([
      .key(.character("9")), .mouse(MouseEvent(.wheelDown, at: inside)),
      .mouse(MouseEvent(.wheelDown, at: inside)), .mouse(MouseEvent(.press(.left), at: inside)),
    ])
    #expect(pad.log == ["move 4", "move 2", "mouse"], "three lines a step")
    #expect(parts.dispatcher.pendingKeys.isEmpty, "the wheel drops a count")
  }

  // MARK: Messages

  @Test func whatHasNoEffectIsReported() {
    func told(_ events: [InputEvent]) -> String? {
      send(events)
      return parts.notices.current?.text
    }
    #expect(told([.key(.character("x"))]) == "x does nothing here")
    #expect(told([.key(.character("a"))]) == nil, "the next key clears it")
    #expect(told([.pasteAbandoned]) == "the paste did not end, and was dropped")
    pad.onCall = { _ in .passed }
    #expect(told([.key(.character("a"))]) == "a does nothing here")
    pad.onCall = { _ in .refused("the gauge is stuck") }
    #expect(told([.key(.character("a"))]) == "the gauge is stuck")
    #expect(parts.notices.current?.kind == .refusal)
  }

  // MARK: Bindings

  @Test func keysAreBoundToCommandsByName() throws {
    try parts.dispatcher.bind("x act")
    try parts.dispatcher.unbind("m")
    type("xm")
    #expect(pad.log == ["act"])
    #expect(parts.dispatcher.bindings.keys(for: "act") == ["x"])
    let revision = parts.dispatcher.bindings.revision
    #expect(throws: CommandRefusal.self) { try parts.dispatcher.bind("x nothing") }
    #expect(parts.dispatcher.bindings.revision == revision)
  }

  // MARK: Random input

  /// Keys that arrive in batches, while commands take their time, do what they do one by one.
  @Test func batchesLoseAndReorderNothing() {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    let keys = (0..<400).flatMap { _ in
      ["m", "m", "m", "a", "x", "0", "3m", "12m", "5a"].randomElement(using: &random) ?? "m"
    }
    var performed: [String] = []
    let seed = random.seed
    pad.onCall = { [scheduler] call in
      if call.name == "move" {
        performed += Array(repeating: "move", count: call.times)
      } else {
        performed.append("act \(call.times)")
      }
      scheduler.spend(.milliseconds(performed.count % 3 == 0 ? 40 : 0))
      return .done
    }
    var sent = 0
    while sent < keys.count {
      let count = min(Int.random(in: 1...30, using: &random), keys.count - sent)
      type(String(keys[sent..<sent + count]))
      sent += count
      if Bool.random(using: &random) {
        scheduler.advance(by: .milliseconds(Int.random(in: 0...60, using: &random)))
      }
    }
    scheduler.advance(by: .seconds(1_000))
    #expect(performed == Self.expected(keys), "seed \(seed)")
    #expect(!parts.dispatcher.isQueued)
  }

  /// What the keys do one by one.
  private static func expected(_ keys: [Character]) -> [String] {
    var performed: [String] = []
    var count: Int?
    for key in keys {
      if let digit = key.wholeNumberValue, digit > 0 || count != nil {
        count = (count ?? 0) * 10 + digit
        continue
      }
      switch key {
      case "m": performed += Array(repeating: "move", count: count ?? 1)
      case "a": performed.append("act \(count ?? 1)")
      default: break
      }
      count = nil
    }
    return performed
  }
}

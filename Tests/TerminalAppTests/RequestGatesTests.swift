import TestSupport
import Testing

@testable import TerminalApp

@MainActor @Suite struct RequestGatesTests {
  private final class Gate: RequestGate {
    private(set) var isOpen = true
    func deferRequests() { isOpen = false }
    func resumeRequests() { isOpen = true }
  }

  private final class Input {
    var isQueued = false
  }

  private let scheduler = SteppedScheduler()
  private let input = Input()
  private let gates: RequestGates
  private let both = [Gate(), Gate()]

  init() {
    gates = RequestGates(on: scheduler) { [input] in input.isQueued }
    for gate in both { gates.add(gate) }
  }

  private var open: [Bool] { both.map(\.isOpen) }

  private func hold(for milliseconds: Int) {
    gates.hold(until: scheduler.now + .milliseconds(milliseconds))
  }

  @Test func allGatesCloseAndOpenTogether() {
    gates.close()
    #expect(open == [false, false])
    gates.open()
    #expect(open == [true, true])
  }

  @Test func aHoldKeepsGatesClosedUntilItsEnd() {
    gates.close()
    hold(for: 100)
    gates.open()
    scheduler.advance(to: 50)
    hold(for: 100)
    scheduler.advance(to: 149)
    #expect(open == [false, false])
    scheduler.advance(to: 150)
    #expect(open == [true, true] && scheduler.isIdle)
  }

  @Test func aHoldThatIsGivenUpOpensNothing() {
    gates.close()
    hold(for: 100)
    gates.hold(until: nil)
    scheduler.advance(to: 200)
    #expect(open == [false, false])
    gates.open()
    #expect(open == [true, true])
  }

  @Test func queuedInputLeavesGatesClosedAfterAHold() {
    gates.close()
    hold(for: 100)
    input.isQueued = true
    scheduler.advance(to: 200)
    #expect(open == [false, false])
    gates.open()
    #expect(open == [true, true], "the frame opens them")
  }

  @Test func withoutTimeNothingIsHeld() {
    let gates = RequestGates(on: MainQueueScheduler(isManual: true)) { false }
    let gate = Gate()
    gates.add(gate)
    gates.close()
    gates.hold(until: .now + .seconds(100))
    gates.open()
    #expect(gate.isOpen)
  }

  /// Holds end later and later, as those of rows scrolled past do.
  @Test func randomHoldsEndWhenTheyShould() {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    var isOpen = true
    var end: Int?
    var lastEnd = 0
    for _ in 0..<2_000 {
      let now = scheduler.milliseconds
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        gates.close()
        isOpen = false
      case 1:
        gates.open()
        isOpen = isOpen || end == nil
      case 2:
        lastEnd = max(lastEnd, now + Int.random(in: 1...300, using: &random))
        end = lastEnd
        hold(for: lastEnd - now)
      case 3:
        gates.hold(until: nil)
        end = nil
      case 4: input.isQueued = Bool.random(using: &random)
      default:
        let next = now + Int.random(in: 0...200, using: &random)
        if let last = end, last <= next {
          end = nil
          isOpen = isOpen || !input.isQueued
        }
        scheduler.advance(to: next)
      }
      #expect(open == [isOpen, isOpen], "\(random)")
    }
  }
}

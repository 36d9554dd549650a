import Terminal
import TestSupport
import Testing

@testable import TerminalApp

@MainActor @Suite struct EventQueueTests {
  private let recorder = CommandRecorder()

  private func queue(_ text: String) -> EventQueue {
    var queue = EventQueue()
    for event in CommandRecorder.typed(text) { queue.add(event) }
    return queue
  }

  private func next(_ queue: inout EventQueue) -> CommandCall? {
    guard case .call(let call) = queue.next(recorder.step(for:)) else { return nil }
    return call
  }

  private func calls(_ queue: inout EventQueue) -> [String] {
    var calls: [String] = []
    while let call = next(&queue) { calls.append(CommandRecorder.text(call)) }
    return calls
  }

  private func rest(_ call: CommandCall, _ count: Int) -> CommandCall {
    var rest = call
    rest.count = count
    return rest
  }

  @Test func movesInOneDirectionJoin() {
    var queue = queue("jjjkk5jj  bgjG")
    let expected = [
      "next 3", "previous 2", "next 5", "next", "page-down 2", "page-up", "top", "next",
      "end",
    ]
    #expect(calls(&queue) == expected)
    #expect(queue.isEmpty)
  }

  @Test func theRestOfAMoveComesFirst() throws {
    var queue = queue("jjjkg")
    let move = try #require(next(&queue))
    #expect(CommandRecorder.text(move) == "next 3")
    queue.putBack(rest(move, 2))
    queue.add(.key(.character("G")))
    #expect(!queue.isEmpty)
    #expect(calls(&queue) == ["next 2", "previous", "top", "end"])
  }

  @Test func theRestOfAMoveIsJoinedWithNewEvents() throws {
    var queue = queue("jjj")
    let move = try #require(next(&queue))
    queue.putBack(rest(move, 2))
    queue.add(.key(.character("j")))
    #expect(calls(&queue) == ["next 3"])
  }

  @Test func aHeldKeyIsReadOnce() {
    var queue = queue("jjjj&kk")
    var asked = 0
    var count = 0
    while let step = queue.next({
      asked += 1
      return recorder.step(for: $0)
    }) {
      count += 1
      if case .call(let call) = step, CommandRecorder.text(call) == "next 4" {
        queue.putBack(rest(call, 1))
      }
    }
    #expect(asked == 3)
    #expect(count == 3)
  }

  @Test func onlyHeldMovesAreReadOnce() {
    var queue = queue("jjzjj5jjj")
    var asked: [InputEvent] = []
    while queue.next({
      asked.append($0)
      return recorder.step(for: $0)
    }) != nil {}
    // Only the repetition of a key without a count or a prefix is not read again.
    #expect(asked == CommandRecorder.typed("jzjj5jj"))
  }

  @Test func textIsNotJoinedAcrossMoves() {
    var queue = EventQueue()
    for event in CommandRecorder.typed("abjjc") { queue.add(event) }
    var steps: [String] = []
    while let step = queue.next({ event in
      guard case .key(.character("j"), _) = event else {
        if case .key(.character(let character), _) = event { return .text(String(character)) }
        return nil
      }
      return recorder.step(for: event)
    }) {
      switch step {
      case .text(let text): steps.append("\"\(text)\"")
      case .call(let call): steps.append(CommandRecorder.text(call))
      case .mouse: steps.append("mouse")
      }
    }
    #expect(steps == ["\"ab\"", "next 2", "\"c\""])
  }

  @Test(arguments: 1...40)
  func partsOfAMoveAddUpToIt(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...100_000, using: &random)
    for key in "jk b" {
      let call = try #require(recorder.call(for: .key(.character(key))))
      let move = rest(call, count)
      var parts: [CommandCall] = []
      var left = move
      while let (first, next) = left.divided {
        parts.append(first)
        left = next
      }
      parts.append(left)
      #expect(parts.allSatisfy { $0.divided == nil }, "seed \(seed)")
      var whole: CommandCall? = parts.removeFirst()
      for part in parts { whole = whole?.joined(with: part) }
      #expect(whole?.times == count && whole?.name == move.name, "seed \(seed)")
    }
    let jump = try #require(recorder.call(for: .key(.character("g"))))
    #expect(rest(jump, 1_000_000).divided == nil)
  }
}

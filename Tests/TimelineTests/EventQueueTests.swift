import Terminal
import TestSupport
import Testing

@testable import TimelineUI

@Suite struct EventQueueTests {
  private func queue(_ text: String) -> EventQueue {
    var queue = EventQueue()
    for character in text { queue.add(.key(.character(character))) }
    return queue
  }

  private func commands(_ queue: inout EventQueue) -> [Command] {
    var keys = KeyMap()
    var commands: [Command] = []
    while let command = queue.next({ keys.command(for: $0) }) { commands.append(command) }
    return commands
  }

  @Test func movesTheSameWayComeOutAsOne() {
    var queue = queue("jjjkk5jj  bgjG")
    let expected: [Command] = [
      .selectNext(3), .selectPrevious(2), .selectNext(6), .pages(2), .pages(-1), .goToTop,
      .selectNext(1), .goToEnd,
    ]
    #expect(commands(&queue) == expected)
    #expect(queue.isEmpty)
  }

  @Test func whatIsLeftOfAMoveComesBeforeAllElse() {
    var queue = queue("jjjkg")
    var keys = KeyMap()
    #expect(queue.next { keys.command(for: $0) } == .selectNext(3))
    queue.putBack(.selectNext(2))
    queue.add(.key(.character("G")))
    #expect(!queue.isEmpty)
    #expect(queue.next { keys.command(for: $0) } == .selectNext(2))
    #expect(queue.next { keys.command(for: $0) } == .selectPrevious(1))
    #expect(commands(&queue) == [.goToTop, .goToEnd])
  }

  @Test func whatIsLeftIsJoinedWithWhatComesMeanwhile() {
    var queue = queue("jjj")
    var keys = KeyMap()
    #expect(queue.next { keys.command(for: $0) } == .selectNext(3))
    queue.putBack(.selectNext(2))
    queue.add(.key(.character("j")))
    #expect(commands(&queue) == [.selectNext(3)])
  }

  @Test func eachEventIsReadOnce() {
    var queue = queue("jjjj&kk")
    var asked = 0
    var keys = KeyMap()
    var count = 0
    while let command = queue.next({
      asked += 1
      return keys.command(for: $0)
    }) {
      count += 1
      if case .selectNext(4) = command { queue.putBack(.selectNext(1)) }
    }
    #expect(asked == 7)
    #expect(count == 3)
  }

  @Test(arguments: 1...40)
  func partsOfAMoveAreTheMove(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...100_000, using: &random)
    let moves: [Command] = [
      .selectNext(count), .selectPrevious(count), .scrollLines(count), .scrollLines(-count),
      .pages(count), .pages(-count), .halfPages(-count),
    ]
    for move in moves {
      var parts: [Command] = []
      var rest = move
      while let (first, next) = rest.divided {
        parts.append(first)
        rest = next
      }
      parts.append(rest)
      #expect(parts.allSatisfy { $0.divided == nil }, "seed \(seed)")
      var whole: Command? = parts.removeFirst()
      for part in parts { whole = whole?.joined(with: part) }
      #expect(whole == move, "seed \(seed)")
    }
    #expect(Command.goToTop.divided == nil)
  }
}

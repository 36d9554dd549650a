import Dispatch
import Terminal

/// How events are answered:
///
/// 1. All of them count, in their order; moves that follow one another the same way are carried out as
///    one, and one frame shows what all have led to.
/// 2. What takes longer than `longestTurn` goes on in the next turn of the main queue, behind a frame
///    that shows how far it is, and behind what has come meanwhile.
/// 3. Ctrl-C and signals wait for nothing: what was typed before them is dropped, as a terminal does
///    with what a program has not read yet.
extension ListScreen {
  /// Time after which other work gets its turn.
  static let longestTurn = Duration.milliseconds(50)

  func handle(_ events: [InputEvent]) {
    guard exitStatus == nil else { return }
    finishMotion()
    let isAlone = events.count == 1 && queue.isEmpty
    for event in events {
      switch event {
      case .terminate(let signal): return end(128 + signal)
      case .key(.character("c"), .control): return end(130)
      // The screen has its size already, whatever was typed before.
      case .resize, .resumed: layout()
      case .paste: break
      case .key, .mouse: queue.add(event)
      }
    }
    guard !isWorkScheduled else { return }
    work(animated: isAlone)
  }

  private func work(animated: Bool = false) {
    guard exitStatus == nil else { return }
    // What changes now has its frame already.
    setNeedsFrame()
    // Rows that are only passed ask for no pictures.
    content.pictures.deferRequests()
    let end = ContinuousClock.now + Self.longestTurn
    while exitStatus == nil, let command = queue.next(command(for:)) {
      if !isHelpOpen, let (first, rest) = command.divided {
        perform(first)
        if !leadsNowhere(rest) { queue.putBack(rest) }
      } else {
        perform(command, animated: animated)
      }
      if !queue.isEmpty, .now >= end { break }
    }
    guard !queue.isEmpty else { return }
    isWorkScheduled = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        self?.isWorkScheduled = false
        self?.work()
      }
    }
  }

  /// Whether the list is where no more of this move can change anything: a count may be of a thousand
  /// million pages.
  private func leadsNowhere(_ rest: Command) -> Bool {
    switch rest {
    case .scrollLines(let count), .halfPages(let count), .pages(let count):
      count > 0 ? listView.isAtEnd : listView.isAtTop
    case .selectNext: listView.isAtEnd && currentRow == rowCount - 1
    case .selectPrevious: listView.isAtTop && currentRow == 0
    default: false
    }
  }

  private func command(for event: InputEvent) -> Command? {
    if case .key = event, endsSeeking(event) { return nil }
    message = ""
    return keyMap.command(for: event)
  }
}

/// The time of a frame without a terminal: scroll, layout, and drawing into a canvas of 200x50
/// cells, with the rows measured and the cells made for it. `TextList.swift` is the list.
///
///     swift run --package-path Benchmarks -c release FrameBenchmark [LARGEST NUMBER OF ROWS]

import Glibc
import Terminal

let largest = CommandLine.arguments.dropFirst().first.map { Int($0) ?? 0 } ?? 10_000_000
guard largest >= 1_000, CommandLine.arguments.count <= 2 else {
  print("usage: FrameBenchmark [LARGEST NUMBER OF ROWS, 1000 OR MORE]")
  exit(64)
}

/// Every frame goes into it and it is printed, so that none is optimised away.
var checksum = 0

/// One frame's work, and what was done for it.
struct Frame {
  var microseconds: Double
  var measuredRows: Int
  var createdCells: Int
}

/// Moves `list`, shows it, and says what that took.
@MainActor func frame(of list: TextList, after move: () -> Void = {}) -> Frame {
  let before = list.view.statistics
  let time = ContinuousClock().measure {
    move()
    checksum &+= Int(list.frame()[3, 5].scalars.0)
  }
  let after = list.view.statistics
  return Frame(
    microseconds: time / .microseconds(1), measuredRows: after.measuredRows - before.measuredRows,
    createdCells: after.createdCells - before.createdCells)
}

/// Prints the median, and what 99 of 100 frames keep to; rows and cells are the most of any frame.
@MainActor func report(_ name: String, rows: Int, _ frames: [Frame]) {
  func padded(_ value: Int, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - "\(value)".count)) + "\(value)"
  }
  let times = frames.map(\.microseconds).sorted()
  print(
    name + String(repeating: " ", count: 15 - name.count) + padded(rows, 9)
      + padded(Int(times[times.count / 2]), 8) + padded(Int(times[times.count * 99 / 100]), 8)
      + padded(frames.map(\.measuredRows).max() ?? 0, 10)
      + padded(frames.map(\.createdCells).max() ?? 0, 8))
}

print("                    rows  p50 µs  p99 µs  measured   cells   (most of any frame)")
for rows in [1_000, 100_000, 1_000_000, 10_000_000] where rows <= largest {
  let list = TextList(count: rows)
  let view = list.view
  /// `count` moves of one kind; between them, what `back` does is shown and not counted.
  @MainActor func moves(
    _ name: String, _ count: Int, back: (() -> Void)? = nil, _ move: () -> Void
  ) {
    let frames = (0..<count).map { _ in
      defer { if let back { _ = frame(of: list, after: back) } }
      return frame(of: list, after: move)
    }
    report(name, rows: rows, frames)
  }
  report("first frame", rows: rows, [frame(of: list)])
  moves("G", 100, back: view.scrollToTop) { view.scrollToEnd() }
  _ = frame(of: list, after: { view.scrollToEnd() })
  moves("g", 100, back: { view.scrollToEnd() }, view.scrollToTop)
  _ = frame(of: list, after: view.scrollToTop)
  moves("drag to middle", 100, back: view.scrollToTop) {
    view.beginDraggingScrollBar(at: 0)
    view.dragScrollBar(to: view.frame.height / 2)
    view.endDraggingScrollBar()
  }
  moves("one line down", 2_000) { view.scroll(byLines: 1) }
  _ = frame(of: list, after: view.scrollToTop)
  moves("one page down", 100) { view.scroll(byPages: 1) }
}
print("checksum \(checksum)")

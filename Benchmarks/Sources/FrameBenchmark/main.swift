// The time of a frame without a terminal: scroll, layout, and drawing into a canvas of 200x50 cells.
//
//     swift run --package-path Benchmarks -c release FrameBenchmark

import Geometry
import Terminal
import TerminalViews
import TextLayout
import VirtualList

/// A row of wrapped text, laid out by constraints.
@MainActor final class TextCell: ListViewCell {
  private let label = Label(name: "label")

  init() {
    super.init(name: "cell")
    addSubview(label)
    label.topAnchor.constraint(equalTo: topAnchor).isActive = true
    label.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 2).isActive = true
    label.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -1).isActive = true
    label.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -1).isActive = true
  }

  func show(_ text: String) { label.text = StyledText(text) }
}

/// Rows of one to ten sentences, the same for the same row.
@MainActor final class Rows: ListViewDataSource {
  let count: Int

  init(count: Int) { self.count = count }

  func numberOfRows(in listView: ListView) -> Int { count }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = listView.dequeueReusableCell(withIdentifier: "text", for: indexPath)
    let sentence = "The harbour gauge reads the water every six minutes, row \(indexPath.row). "
    (cell as? TextCell)?.show(String(repeating: sentence, count: 1 + indexPath.row * 7 % 10))
    return cell
  }
}

@MainActor func measure(rows: Int) {
  let source = Rows(count: rows)
  let list = ListView(name: "list")
  list.register({ TextCell() }, forCellReuseIdentifier: "text")
  list.dataSource = source
  list.frame = Rect(x: 0, y: 0, width: 200, height: 48)
  let size = Size(width: 200, height: 50)
  var checksum = 0

  func frame() {
    list.layoutList()
    var canvas = Canvas(size: size)
    list.render(into: &canvas, origin: .zero)
    checksum &+= Int(canvas[3, 5].scalars.0)
  }

  func report(_ name: String, count: Int, _ body: () -> Void) {
    var samples: [Double] = []
    for _ in 0..<count {
      let time = ContinuousClock().measure {
        body()
        frame()
      }.components
      samples.append(Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12)
    }
    samples.sort()
    let median = samples[samples.count / 2]
    let slow = samples[samples.count * 99 / 100]
    print(
      "\(name)  rows \(rows)  p50 \(Int(median)) µs  p99 \(Int(slow)) µs  "
        + "measured \(list.statistics.measuredRows)  cells \(list.statistics.createdCells)")
  }

  frame()
  report("one line down ", count: 2_000) { list.scroll(byLines: 1) }
  report("one page down ", count: 300) { list.scroll(byPages: 1) }
  report("end and top   ", count: 100) {
    list.scrollToEnd()
    frame()
    list.scrollToTop()
  }
  report("middle        ", count: 100) { list.scroll(toFraction: 0.5) }
  precondition(checksum != 0)
}

for rows in [1_000, 100_000, 10_000_000] { measure(rows: rows) }

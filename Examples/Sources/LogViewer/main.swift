import TerminalApp

struct Line: Identifiable {
  let id: Int
  let time, level, message: String
}

final class LineCell: ItemCell<Line> {
  let time = Label(numberOfLines: 1), message = Label()

  override func setUp() {
    for label in [time, message] {
      addSubview(label)
      label.top()
    }
    time.leading(offset: 2)
    time.width(8)
    message.leading(to: time, edge: .trailing, offset: 1)
    message.trailing(offset: -1)
    message.bottom()
  }

  override func show(_ line: Line) {
    time.text = StyledText(line.time, style: TextStyle(role: .secondary))
    message.text = StyledText(line.message)
  }
}

func readLines() -> [Line] {
  var lines: [Line] = []
  while let text = readLine() {
    let parts = text.split(separator: " ", maxSplits: 2).map(String.init) + ["", "", ""]
    lines.append(Line(id: lines.count, time: parts[0], level: parts[1], message: parts[2]))
  }
  return lines
}

try await TerminalApplication.run(List(readLines(), cell: LineCell.self))

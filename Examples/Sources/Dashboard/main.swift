import TerminalApp

/// How full something is, with its name and number.
final class Gauge: View {
  private let label = Label(numberOfLines: 1), number = Label(numberOfLines: 1)
  private let bar = ProgressView()

  init(_ name: String) {
    super.init(name: name)
    label.text = StyledText(name)
    number.alignment = .right
    addSubview(label)
    addSubview(number)
    addSubview(bar)
    label.top()
    label.leading()
    number.top()
    number.trailing()
    number.leading(to: label, edge: .trailing, offset: 1)
    bar.top(to: label, edge: .bottom)
    bar.leading()
    bar.trailing()
    bar.bottom()
  }

  var level = 0.0 {
    didSet {
      bar.progress = level
      number.text = StyledText("\(Int(level * 100)) %", style: TextStyle(role: .secondary))
    }
  }
}

/// Gauges in boxes, a note that can be edited, and a line that says what happened.
final class Dashboard: View, Responder, StatusProviding {
  private let gauges = ["Harbour", "Estuary", "Lock", "Basin"].map { Gauge($0) }
  private let note = TextField(placeholder: "a note for the next watch")
  private let log = Label()
  private var readings = 0

  lazy var commands: CommandTable = CommandTable(
    of: self,
    [
      Command("read", "r", help: "read all gauges now; with a count, so often") { board, call in
        for _ in 0..<min(call.times, 100) { board.read() }
      }
    ])

  let canBeFocused = true

  init() {
    super.init(name: "dashboard")
    log.style = Style(foreground: .palette(3))
    let boxes = gauges.map { Border($0, title: $0.name) }
    let columns = Stack(
      .horizontal, spacing: 1, isEven: true,
      [Stack(.vertical, Array(boxes[..<2])), Stack(.vertical, Array(boxes[2...]))])
    let rows = Stack(.vertical, [columns, Border(note, title: "note"), log])
    addSubview(rows)
    rows.leading()
    rows.trailing()
    rows.top()
    note.onSubmit = { [unowned self] text in log.text = StyledText("noted: \(text)") }
    read()
  }

  func read() {
    readings += 1
    for (index, gauge) in gauges.enumerated() {
      gauge.level = Double((readings * (index + 3) * 7) % 101) / 100
    }
    log.text = StyledText("reading \(readings)")
  }

  var status: StatusBar.Content {
    var status = StatusBar.Content()
    status.source = "tide gauges"
    status.position = "reading \(readings)"
    status.hint = "r reads again   Tab note"
    status.persistentHint = "? help   q quit"
    return status
  }
}

try await TerminalApplication.run(Dashboard())

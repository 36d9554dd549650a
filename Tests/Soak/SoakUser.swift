import TestSupport

/// A user who presses random keys, but none that ends the program.
struct SoakUser {
  /// A part of an operation; the parts follow one another at once.
  enum Step {
    case send(String)
    case resize(TerminalSize)
    /// Stops the program by SIGSTOP and continues it, optionally after resizing the window.
    case stop(resizingTo: TerminalSize?)
    case wait(Duration)
    /// Waits until the program has handled its input.
    case pause
  }

  struct Operation {
    var name: String
    var steps: [Step]
  }

  var random: SeededGenerator
  private(set) var size = TerminalSize(columns: 80, rows: 24)
  private var isHelpOpen = false
  private var isInspectorOpen = false
  /// Whether the last motion may continue while its pages are fetched.
  private(set) var isSeeking = false

  init(random: SeededGenerator) { self.random = random }

  /// An escape byte is the key Esc only if no byte follows before it is read, which can take a
  /// while with a window of 300 rows.
  private static let escape = [Step.pause, .send(TerminalKey.escape), .pause]

  private static let usual = [
    (80, 24), (60, 20), (100, 30), (132, 43), (40, 12), (200, 50), (81, 25), (61, 40),
  ]
  private static let tiny = [(1, 1), (2, 1), (8, 2), (7, 3), (12, 4), (20, 5), (3, 40), (30, 2)]
  private static let huge = [(400, 100), (500, 20), (90, 300)]

  mutating func operation() -> Operation {
    if isHelpOpen || isInspectorOpen, chance(4) { return leavingPanels() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: return keys()
    case 50..<62: return mouse()
    case 62..<74: return resizing()
    case 74..<78: return Operation(name: "Ctrl-Z", steps: [.send(TerminalKey.control("z"))])
    case 78..<81: return Operation(name: "stopped and continued", steps: [.stop(resizingTo: nil)])
    case 81..<83:
      size = otherSize()
      return Operation(
        name: "stopped, \(Self.name(size)), continued", steps: [.stop(resizingTo: size)])
    case 83..<86: return help()
    case 86..<90: return inspector()
    case 90..<94: return nonsense()
    case 94..<96: return font()
    default:
      let time = Duration.milliseconds(Int.random(in: 5...300, using: &random))
      return Operation(name: "wait \(time)", steps: [.wait(time)])
    }
  }

  /// Returns to the list from any open panel.
  mutating func leavingPanels() -> Operation {
    var steps = Self.escape + Self.escape
    if isInspectorOpen { steps.append(.send("\u{1b}[24~")) }
    isHelpOpen = false
    isInspectorOpen = false
    return Operation(name: "back to the list", steps: steps)
  }

  private mutating func chance(_ sides: Int) -> Bool {
    Int.random(in: 0..<sides, using: &random) == 0
  }

  private mutating func keys() -> Operation {
    let motions = [
      "j", "k", "j", "j", " ", "b", "g", "G", "zt", "zz", "zb", "x", "x", "r", ".", "5j", "12k",
      "12G",
      "50%", "30%", "80%", "100%", "300G", "20G", TerminalKey.control("e"),
      TerminalKey.control("y"),
      TerminalKey.control("e"), TerminalKey.control("d"), TerminalKey.control("u"),
      TerminalKey.control("d"), TerminalKey.pageDown, TerminalKey.pageUp, TerminalKey.home,
      TerminalKey.end, TerminalKey.down, TerminalKey.up, TerminalKey.left, TerminalKey.tab,
      TerminalKey.control("l"), "40" + TerminalKey.control("e"), "7", "z",
    ]
    let key = motions.randomElement(using: &random) ?? "j"
    let count = chance(12) ? 400 : chance(3) ? Int.random(in: 2...12, using: &random) : 1
    isSeeking = isSeeking || key.contains("G") || key == TerminalKey.end || key == "z"
    return Operation(
      name: "\(count) × \(key.debugDescription)",
      steps: [.send(String(repeating: key, count: count))])
  }

  private mutating func mouse() -> Operation {
    let column = Int.random(in: 0..<size.columns, using: &random)
    let row = Int.random(in: 0..<size.rows, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let count = Int.random(in: 1...20, using: &random)
      let up = chance(3)
      let wheel =
        up
        ? TerminalKey.wheelUp(column: column, row: row)
        : TerminalKey.wheelDown(column: column, row: row)
      return Operation(
        name: "\(count) × wheel \(up ? "up" : "down")",
        steps: [.send(String(repeating: wheel, count: count))])
    case 1:
      let bar = size.columns - 1
      let end = Int.random(in: 0..<size.rows, using: &random)
      return Operation(
        name: "bar dragged from \(row) to \(end)",
        steps: [
          .send(TerminalKey.press(column: bar, row: row)),
          .send(TerminalKey.drag(column: bar, row: end)),
          .send(TerminalKey.release(column: bar, row: end)),
        ])
    default:
      return Operation(
        name: "click at \(column), \(row)",
        steps: [
          .send(
            TerminalKey.press(column: column, row: row)
              + TerminalKey.release(column: column, row: row))
        ])
    }
  }

  private mutating func otherSize() -> TerminalSize {
    var size = size
    let list = chance(4) ? Self.tiny : chance(8) ? Self.huge : Self.usual
    (size.columns, size.rows) = list.randomElement(using: &random) ?? (80, 24)
    return size
  }

  private mutating func resizing() -> Operation {
    var steps: [Step] = []
    var names: [String] = []
    if chance(20) {
      // No window is so large; the program must survive it.
      var extreme = size
      (extreme.columns, extreme.rows) = chance(2) ? (3_000, 2) : (2, 1_500)
      steps.append(.resize(extreme))
      names.append(Self.name(extreme))
    }
    for _ in 0..<(chance(3) ? Int.random(in: 2...6, using: &random) : 1) {
      size = otherSize()
      names.append(Self.name(size))
      steps.append(.resize(size))
      if chance(3) { steps.append(.wait(.milliseconds(Int.random(in: 1...40, using: &random)))) }
    }
    return Operation(name: names.joined(separator: ", "), steps: steps)
  }

  /// Changes the size of cells, as another font does.
  private mutating func font() -> Operation {
    let cells = [(8, 16), (9, 15), (10, 20), (6, 13)]
    (size.cellWidth, size.cellHeight) = cells.randomElement(using: &random) ?? (8, 16)
    return Operation(
      name: "cells of \(size.cellWidth)x\(size.cellHeight) pixels", steps: [.resize(size)])
  }

  private mutating func help() -> Operation {
    let wasOpen = isHelpOpen
    isHelpOpen = true
    return Operation(name: "help", steps: Self.escape + [.send(wasOpen ? "?jjk ?" : "?")])
  }

  private mutating func inspector() -> Operation {
    guard isInspectorOpen, !isHelpOpen else {
      var steps = Self.escape
      steps.append(.send("\u{1b}[24~"))
      // An open help page would have taken the key; the first escape has closed it.
      isHelpOpen = false
      isInspectorOpen.toggle()
      return Operation(name: "F12", steps: steps)
    }
    let keys = ["v", "V", "c", "C", "x", "<", ">", "p", "i", "i", "J", "K", "\t", "\u{1b}[Z"]
    let key = keys.randomElement(using: &random) ?? "v"
    return Operation(name: "inspector \(key.debugDescription)", steps: [.send(key)])
  }

  /// Bytes that a terminal or a serial line may send unasked.
  private mutating func nonsense() -> Operation {
    let list = [
      "\u{1b}[I", "\u{1b}[O", "\u{1b}[?62;4c", "\u{1b}[1;2R", "\u{1b}P1+r\u{1b}\\",
      "\u{1b}_Gi=31;OK\u{1b}\\", "\u{1b}]11;rgb:0000/0000/0000\u{1b}\\", "\u{1b}[99;5;3~",
      "\u{1b}[<0;70000;70000M", "\u{1b}[<35;3;3M", "\u{1b}[200~pasted words\u{1b}[201~", "\u{0}",
      "\u{9b}", "é", "潮", "\u{1b}[1;1:3A", "\u{1b}OP", "\u{1b}[15~", "\u{1b}[999999999999;1H",
    ]
    let bytes = list.randomElement(using: &random) ?? ""
    // The first function key is another key for help.
    if bytes == "\u{1b}OP" { return help() }
    return Operation(
      name: "sent \(bytes.debugDescription)",
      steps: [.send(bytes), .wait(.milliseconds(60))])
  }

  /// Call this at each rest: later searches for rows belong to other motions.
  mutating func rested() { isSeeking = false }

  private static func name(_ size: TerminalSize) -> String { "\(size.columns)x\(size.rows)" }
}

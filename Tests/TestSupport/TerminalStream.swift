import Glibc

/// Filters a program's output on its way to the ``VirtualScreen``.
///
/// 1. Sequences are recognised whole, however reads cut them; an incomplete one waits for its rest.
/// 2. Application strings (APC, PM, SOS), which libvterm would print, are withheld.
/// 3. Queries that libvterm would answer for itself, not for the personality, are withheld and
///    answered here; all replies are in the order of the queries, libvterm's own included.
/// 4. DEC private modes are recorded.
/// 5. Scroll regions are recorded, and whether pictures were painted on the screen at that time.
/// 6. Sixels, inline pictures and graphics commands, which libvterm does not know, are recorded for
///    tests; the cells that pictures cover are recorded on the screen.
struct TerminalStream {
  private enum State {
    case ground
    case escape
    case controlSequence
    /// A string up to ST (or BEL, for OSC): its introducer, and whether an ESC was the last byte.
    case string(UInt8, sawEscape: Bool)
  }

  var personality: TerminalPersonality
  var size: TerminalSize
  /// DEC private modes as last set or reset.
  private(set) var modes: [Int: Bool] = [:]
  /// Sixel pictures, in order.
  private(set) var sixels: [SixelStrip] = []
  /// Inline pictures, in order.
  private(set) var inlinePictures: [InlinePictureSequence] = []
  /// Scroll regions in which lines are moved.
  private(set) var lineMoves: [LineMovement] = []
  /// Graphics commands, in order, without queries.
  private(set) var kittyCommands: [KittyCommand] = []
  /// The images that these commands have left at the terminal.
  private(set) var kittyImages = KittyImages()
  /// The links of cells; `nil` for a terminal without support for links.
  let links: LinkScreen?
  private var state = State.ground
  private var sequence: [UInt8] = []

  /// Drops the records for tests; the images at the terminal stay.
  mutating func forgetPictures() {
    sixels = []
    inlinePictures = []
    lineMoves = []
    kittyCommands = []
  }

  init(personality: TerminalPersonality, size: TerminalSize) {
    self.personality = personality
    self.size = size
    links = personality.supportsLinks ? LinkScreen(columns: size.columns, rows: size.rows) : nil
  }

  /// Passes `bytes` on to `screen` and returns the terminal's replies.
  mutating func pass(_ bytes: [UInt8], to screen: VirtualScreen) -> [UInt8] {
    var replies: [UInt8] = []
    var passed: [UInt8] = []
    func flush() {
      screen.feed(passed)
      passed = []
      replies += screen.takeReplies()
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let plain = takeRun(of: &rest)
      if !plain.isEmpty {
        passed += plain
        links?.feed(plain)
      }
      guard let byte = rest.popFirst(), advance(byte) else { continue }
      if setsRegion {
        flush()
        let covers = screen.hasPictures && screen.pictures.contains { $0.contains { $0 != nil } }
        lineMoves.append(LineMovement(coversPictures: covers))
      }
      if takesSixel(flushing: flush, screen: screen)
        || takesInlinePicture(flushing: flush, screen: screen)
      {
        sequence = []
        continue
      }
      if let reply = answer() {
        flush()
        replies += reply
      } else if !isApplicationString {
        passed += sequence
        links?.feed(sequence: sequence)
      }
      sequence = []
    }
    flush()
    return personality.answersQueries ? replies : []
  }

  /// Takes the bytes up to the next one that may begin or end a sequence: within a string they are
  /// added to it, outside sequences they are returned.
  private mutating func takeRun(of rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let ends: [Int32]
    switch state {
    case .ground: ends = [0x1B]
    case .string(_, sawEscape: false): ends = [0x1B, 7]
    default: return []
    }
    let count = rest.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return ends.reduce(buffer.count) { count, end in
        memchr(start, end, count).map { start.distance(to: UnsafeRawPointer($0)) } ?? count
      }
    }
    let run = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    if case .ground = state { return run }
    sequence += run
    return []
  }

  /// Processes one byte; returns true if it completes the sequence in `sequence`.
  private mutating func advance(_ byte: UInt8) -> Bool {
    switch state {
    case .ground:
      guard byte == 0x1b else { return false }
      state = .escape
      sequence = [byte]
      return false
    case .escape:
      sequence.append(byte)
      switch byte {
      case UInt8(ascii: "["): state = .controlSequence
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
        UInt8(ascii: "X"):
        state = .string(byte, sawEscape: false)
      case 0x20...0x2f: break
      default:
        state = .ground
        return true
      }
      return false
    case .controlSequence:
      sequence.append(byte)
      guard (0x40...0x7e).contains(byte) else { return false }
      state = .ground
      return true
    case .string(let introducer, let sawEscape):
      sequence.append(byte)
      let isBell = byte == 7 && introducer == UInt8(ascii: "]")
      if isBell || (sawEscape && byte == UInt8(ascii: "\\")) {
        state = .ground
        return true
      }
      state = .string(introducer, sawEscape: byte == 0x1b)
      return false
    }
  }

  /// Whether it sets a scroll region smaller than the screen; ncurses sets a whole one once at its
  /// start.
  private var setsRegion: Bool {
    guard sequence.count > 3, sequence[1] == UInt8(ascii: "["), sequence.last == UInt8(ascii: "r"),
      let first = sequence.dropFirst(2).first, (0x30...0x39).contains(first)
    else { return false }
    return String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self) != "1;\(size.rows)"
  }

  private var isApplicationString: Bool {
    sequence.count > 1
      && [UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X")]
        .contains(sequence[1])
  }

  /// The reply to `sequence` if it is a query answered here; `nil` if libvterm receives it.
  private mutating func answer() -> [UInt8]? {
    let text = String(decoding: sequence.dropFirst(), as: UTF8.self)
    switch text {
    case "[c", "[0c":
      let list = personality.deviceAttributes.map(String.init).joined(separator: ";")
      return Array("\u{1b}[?\(list)c".utf8)
    case "[>q", "[>0q":
      return Array("\u{1b}P>|\(personality.version)\u{1b}\\".utf8)
    case "[16t":
      return Array("\u{1b}[6;\(size.cellHeight);\(size.cellWidth)t".utf8)
    case "[14t":
      let (width, height) = (size.columns * size.cellWidth, size.rows * size.cellHeight)
      return Array("\u{1b}[4;\(height);\(width)t".utf8)
    case "P$qm\u{1b}\\" where personality.colors == .indexed256:
      return Array("\u{1b}P1$r0;48:5:16m\u{1b}\\".utf8)
    default:
      break
    }
    if text.hasPrefix("[?"), text.hasSuffix("$p"), let mode = Int(text.dropFirst(2).dropLast(2)) {
      let known = mode == 2026 && personality.hasSynchronizedOutput
      return Array("\u{1b}[?\(mode);\(known ? 2 : 0)$y".utf8)
    }
    if text.hasPrefix("]11;?"), let background = personality.background {
      return Array("\u{1b}]11;\(background)\u{1b}\\".utf8)
    }
    if text.hasPrefix("_G") { return kittyAnswer(String(text.dropFirst(2))) }
    if text.hasPrefix("[?"), let last = text.last, last == "h" || last == "l" {
      for mode in text.dropFirst(2).dropLast().split(separator: ";").compactMap({ Int($0) }) {
        modes[mode] = last == "h"
      }
    }
    return nil
  }

  /// Paints `sequence` at the cursor, if it is a sixel picture and the terminal draws them.
  private mutating func takesSixel(flushing flush: () -> Void, screen: VirtualScreen) -> Bool {
    guard sequence.count > 2, sequence[1] == UInt8(ascii: "P"),
      personality.deviceAttributes.dropFirst().contains(4)
    else { return false }
    flush()
    let cursor = screen.cursor
    guard let strip = SixelStrip(sequence, row: cursor.row, column: cursor.column) else {
      return false
    }
    sixels.append(strip)
    screen.paint(strip, cellWidth: size.cellWidth, cellHeight: size.cellHeight)
    return true
  }

  /// Paints `sequence` at the cursor, if it is an inline picture and the terminal draws them.
  private mutating func takesInlinePicture(
    flushing flush: () -> Void, screen: VirtualScreen
  ) -> Bool {
    guard let behaviour = personality.inlinePictures,
      sequence.starts(with: Array("\u{1B}]1337;File=".utf8))
    else { return false }
    flush()
    let cursor = screen.cursor
    guard let picture = InlinePictureSequence(sequence, row: cursor.row, column: cursor.column)
    else {
      return false
    }
    inlinePictures.append(picture)
    screen.paint(
      sequence, row: picture.row, column: picture.column, rows: picture.rows,
      columns: picture.columns)
    if behaviour == .movesCursor {
      let (row, column) = (picture.row + picture.rows, picture.column + picture.columns + 1)
      screen.feed(Array("\u{1B}[\(row);\(column)H".utf8))
    }
    return true
  }

  /// kitty answers a graphics query (`a=q`) with an id, and nothing else here.
  private mutating func kittyAnswer(_ command: String) -> [UInt8]? {
    if !command.contains("a=q") {
      let command = KittyCommand(command.dropLast(2))
      kittyCommands.append(command)
      kittyImages.take(command)
    }
    let keys = command.prefix { $0 != ";" && $0 != "\u{1b}" }.split(separator: ",")
    guard personality.hasKittyGraphics, keys.contains("a=q"),
      let id = keys.first(where: { $0.hasPrefix("i=") })
    else { return nil }
    return Array("\u{1b}_G\(id);OK\u{1b}\\".utf8)
  }
}

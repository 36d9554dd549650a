import CNcurses
import Geometry
import System

/// The description of a type of terminal: a terminfo(5) entry.
///
/// A minimal system installs no entry with 24-bit colour, and ncurses takes an entry only by name,
/// in `newterm`. So the user's entry is read, its colours are replaced, and the result is passed to
/// ncurses in the environment (`TERMINFO`), without a compiler, a file or another process.
struct TerminfoEntry {
  var name: String
  /// The capabilities of each type, in the order of a compiled entry.
  var booleans: [Bool]
  /// `nil` if absent.
  var numbers: [Int32?]
  var strings: [[UInt8]?]
  /// The names of the extended flags that are set.
  var extendedBooleans: Set<String> = []

  /// The index of each capability among those of its type.
  private var indices: [String: Int] = [:]

  /// The installed entry of `name`; `nil` if there is none or the name is invalid.
  ///
  /// On the main actor, because ncurses has one current terminal per process.
  @MainActor init?(named name: String, descriptor: Int32) {
    let allowed = name.utf8.allSatisfy {
      $0.isAlphanumeric || [0x2B, 0x2D, 0x2E, 0x5F].contains($0)
    }
    guard !name.isEmpty, name.utf8.count < 128, allowed, !name.hasPrefix(".") else { return nil }
    var problem: Int32 = 0
    guard setupterm(name, descriptor, &problem) == OK else { return nil }
    defer { del_curterm(terminfo_current()) }
    self.name = name
    booleans = []
    numbers = []
    strings = []
    indices.reserveCapacity(512)
    booleans = read(terminfo_boolean_name) { tigetflag(UnsafeMutablePointer(mutating: $0)) == 1 }
    numbers = read(terminfo_number_name) { capability in
      let value = tigetnum(UnsafeMutablePointer(mutating: capability))
      return value >= 0 ? value : nil
    }
    strings = read(terminfo_string_name) { capability in
      terminfo_string(capability).map { Array(String(cString: $0).utf8) }
    }
    for capability in ["AX", "XT", "RGB"] where tigetflag(capability) == 1 {
      extendedBooleans.insert(capability)
    }
  }

  /// Reads the capabilities of one type. `name` returns the name at an index, `nil` after the last.
  /// Names are unique across the types.
  private mutating func read<Value>(
    _ name: (Int32) -> UnsafePointer<CChar>?, value: (UnsafePointer<CChar>) -> Value
  ) -> [Value] {
    var values: [Value] = []
    while let capability = name(Int32(values.count)) {
      indices[String(cString: capability)] = values.count
      values.append(value(capability))
    }
    return values
  }

  /// A number by its capability name.
  func number(_ capability: String) -> Int? {
    indices[capability].flatMap { numbers[$0] }.map(Int.init)
  }

  /// A string by its capability name.
  func string(_ capability: String) -> [UInt8]? { indices[capability].flatMap { strings[$0] } }

  /// A string with its delays removed and its parameters not filled in; empty if absent.
  func sequence(_ capability: String) -> [UInt8] {
    guard let value = string(capability) else { return [] }
    var result: [UInt8] = []
    var rest = value[...]
    while let byte = rest.first {
      if rest.starts(with: [0x24, 0x3C]), let end = rest.firstIndex(of: 0x3E) {  // $< … >
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
        rest.removeFirst()
      }
    }
    return result
  }

  /// This entry without capabilities that cost a frame more time than they save.
  ///
  /// The cursor moves by `cup` alone: before each move ncurses compares the cost of all motions in
  /// the entry, including rewriting the text on the way. That takes several microseconds, dozens of
  /// times a frame, to save two or three bytes a move. Lines are not cleared from their beginnings:
  /// their ends, such as a scroll bar, would have to be drawn again. And styles do not select the
  /// default character set, because no style leaves it.
  func withAbsoluteCursorMotionOnly() -> TerminfoEntry {
    var entry = without([
      "cr", "cub", "cub1", "cud", "cud1", "cuf", "cuf1", "cuu", "cuu1", "cbt", "home", "hpa", "ht",
      "ll", "nel", "vpa", "el1",
    ])
    entry.name = "tideline-" + name
    entry.remove("\u{1B}(B", from: "sgr0")
    entry.remove("%?%p9%t\u{1B}(0%e\u{1B}(B%;", from: "sgr")
    return entry
  }

  /// This entry with colour pairs set by number between two marks, for ``PairSequences``. Pair 0 is
  /// the terminal's own colours; with `AX` ncurses would restore them one by one.
  ///
  /// - Parameter colors: the number of colours in the number space of ``Color``: 16,777,216 for
  ///   24-bit, or 256; `nil` for as many as the entry has. `RGB` is mandatory with 24-bit: without
  ///   it ncurses allocates a table of all colours.
  func settingPairsByNumber(colors: Int32? = nil) -> TerminfoEntry {
    var entry = self
    let mark = String(Unicode.Scalar(PairSequences.mark))
    entry.set(string: "scp", mark + "%p1%d" + mark)
    entry.set(string: "op", mark + "0" + mark)
    entry.extendedBooleans.remove("AX")
    guard let colors else { return entry }
    entry.set(number: "colors", colors)
    entry.set(number: "pairs", colors > 256 ? colors : 0x10000)
    entry.set(boolean: "ccc", false)
    if colors > 256 { entry.extendedBooleans.insert("RGB") }
    return entry.without(["initc", "oc", "initp"])
  }

  /// This entry without capabilities that move lines.
  ///
  /// Only this keeps ncurses from moving lines and from searching for moved ones: `idlok` disables
  /// only some of the ways.
  func withoutMovingLines() -> TerminfoEntry {
    without(["csr", "ind", "indn", "ri", "rin", "il", "il1", "dl", "dl1"])
  }

  /// This entry without capabilities that move characters: terminals differ in the effect on
  /// sixels.
  func withoutMovingCharacters() -> TerminfoEntry {
    without(["ich", "ich1", "dch", "dch1", "smir", "rmir"])
  }

  private func without(_ capabilities: [String]) -> TerminfoEntry {
    var entry = self
    for capability in capabilities { entry.set(string: capability, nil) }
    return entry
  }

  /// This entry with the number of columns and rows, which ncurses reads from it.
  func withSize(_ size: Size) -> TerminfoEntry {
    var entry = self
    entry.set(number: "cols", Int32(clamping: size.width))
    entry.set(number: "lines", Int32(clamping: size.height))
    return entry
  }

  private mutating func remove(_ part: String, from capability: String) {
    guard let value = string(capability),
      let start = value.indices.first(where: { value[$0...].starts(with: part.utf8) })
    else { return }
    var rest = value
    rest.removeSubrange(start..<start + part.utf8.count)
    set(string: capability, String(decoding: rest, as: UTF8.self))
  }

  private mutating func set(number capability: String, _ value: Int32?) {
    if let index = indices[capability] { numbers[index] = value }
  }

  private mutating func set(boolean capability: String, _ value: Bool) {
    if let index = indices[capability] { booleans[index] = value }
  }

  private mutating func set(string capability: String, _ value: String?) {
    if let index = indices[capability] { strings[index] = value.map { Array($0.utf8) } }
  }

  /// The entry in the extended number format of term(5): a header of six 16-bit numbers, names,
  /// flags, 32-bit numbers, 16-bit offsets of strings and the strings, then the same for the
  /// extended capabilities. Sections of words begin at even offsets.
  func compiled() -> [UInt8] {
    var table: [UInt8] = []
    var offsets: [UInt8] = []
    for value in strings {
      guard let value else {
        offsets += [0xFF, 0xFF]
        continue
      }
      Self.append(Int16(truncatingIfNeeded: table.count), to: &offsets)
      table += value + [0]
    }
    var result: [UInt8] = []
    let names = Array("\(name)|tideline's colours for \(name)".utf8) + [0]
    for value in [
      0o1036, names.count, booleans.count, numbers.count, strings.count, table.count,
    ] {
      Self.append(Int16(truncatingIfNeeded: value), to: &result)
    }
    result += names
    result += booleans.map { $0 ? 1 : 0 }
    if result.count % 2 == 1 { result.append(0) }
    for value in numbers { Self.append(value ?? -1, to: &result) }
    result += offsets
    result += table
    if result.count % 2 == 1 { result.append(0) }

    let extended = extendedBooleans.sorted()
    let extendedTable = extended.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0] }
    for value in [extended.count, 0, 0, extended.count, extendedTable.count] {
      Self.append(Int16(truncatingIfNeeded: value), to: &result)
    }
    result += extended.map { _ in 1 }
    if extended.count % 2 == 1 { result.append(0) }
    var offset = 0
    for name in extended {
      Self.append(Int16(truncatingIfNeeded: offset), to: &result)
      offset += name.utf8.count + 1
    }
    return result + extendedTable
  }

  private static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  /// Calls `body` while ncurses finds this entry by its name.
  ///
  /// The environment is changed meanwhile: no other thread may read it.
  @MainActor func whileInstalled<Result>(_ body: () -> Result) -> Result {
    let former = getenv("TERMINFO").map { String(cString: $0) }
    let digits = Array("0123456789ABCDEF".utf8)
    var text = Array("hex:".utf8)
    for byte in compiled() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    setenv("TERMINFO", String(decoding: text, as: UTF8.self), 1)
    defer {
      if let former { setenv("TERMINFO", former, 1) } else { unsetenv("TERMINFO") }
    }
    return body()
  }

  /// The keys of this terminal whose bytes begin with ESC; other keys are read as characters.
  var keySequences: [InputParser.KeySequence] {
    let named: [(String, KeyPress)] = [
      ("kcuu1", KeyPress(.up)), ("kcud1", KeyPress(.down)),
      ("kcub1", KeyPress(.left)), ("kcuf1", KeyPress(.right)),
      ("khome", KeyPress(.home)), ("kend", KeyPress(.end)),
      ("kpp", KeyPress(.pageUp)), ("knp", KeyPress(.pageDown)),
      ("kich1", KeyPress(.insert)), ("kdch1", KeyPress(.delete)),
      ("kcbt", KeyPress(.tab, .shift)), ("kent", KeyPress(.enter)),
      ("kbs", KeyPress(.backspace)),
      ("kri", KeyPress(.up, .shift)), ("kind", KeyPress(.down, .shift)),
      ("kLFT", KeyPress(.left, .shift)), ("kRIT", KeyPress(.right, .shift)),
    ]
    let functions = (1...12).map { ("kf\($0)", KeyPress(.function($0))) }
    return (named + functions).compactMap { capability, press in
      let bytes = sequence(capability)
      return bytes.count > 1 && bytes.first == 0x1B ? (bytes, press) : nil
    }
  }
}

import CVTerm
import Glibc

/// A terminal's screen as interpreted by libvterm, an independent terminal emulator.
///
/// libvterm calls back with its replies and with changed properties; both are kept here for the
/// owner. Not safe for concurrent use.
final class VirtualScreen {
  /// The state that the callbacks change; libvterm has its address.
  private final class State {
    var replies: [UInt8] = []
    var isAlternate = false
    var isCursorVisible = true
    /// The parts of pictures that have not been overwritten since.
    var pictures: [[PaintedCell?]] = []
    var hasPictures = false
    /// The rows that were written to, or moved, since they were last read.
    var changed: [Bool] = []

    /// Records that libvterm changed `area`.
    func damage(_ area: VTermRect) {
      let rows = max(0, Int(area.start_row))..<max(0, min(Int(area.end_row), changed.count))
      for row in rows { changed[row] = true }
      guard hasPictures else { return }
      for row in rows {
        let end = min(Int(area.end_col), pictures[row].count)
        for column in Int(area.start_col)..<max(Int(area.start_col), end) {
          pictures[row][column] = nil
        }
      }
    }

    func resize(columns: Int, rows: Int) {
      pictures = Array(repeating: Array(repeating: nil, count: columns), count: rows)
      changed = Array(repeating: true, count: rows)
      hasPictures = false
    }
  }

  /// A row as it was last read.
  private struct Row {
    var cells: [ScreenCell] = []
    /// By column, whether a character was written there and not erased since.
    var isWritten: [Bool] = []
    var text = ""
  }

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private let state = State()
  private var rows: [Row] = []
  private var lead: UInt8?
  /// The visible columns: fewer than libvterm's if the terminal has only one.
  private var columns: Int
  /// At a fixed address as long as libvterm may use it.
  private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>

  /// libvterm writes to no cell if a terminal one column wide receives a wide character.
  private static let minimumColumns = 2

  init(columns: Int, rows: Int) {
    self.columns = columns
    let columns = max(columns, Self.minimumColumns)
    terminal = vterm_new(Int32(rows), Int32(columns))
    screen = vterm_obtain_screen(terminal)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: VTermScreenCallbacks())
    callbacks.pointee.settermprop = { property, value, user in
      guard let value, let user else { return 0 }
      let state = Unmanaged<State>.fromOpaque(user).takeUnretainedValue()
      if property == VTERM_PROP_ALTSCREEN { state.isAlternate = value.pointee.boolean != 0 }
      if property == VTERM_PROP_CURSORVISIBLE { state.isCursorVisible = value.pointee.boolean != 0 }
      return 1
    }
    callbacks.pointee.damage = { area, user in
      guard let user else { return 0 }
      let state = Unmanaged<State>.fromOpaque(user).takeUnretainedValue()
      state.damage(area)
      return 1
    }
    state.resize(columns: columns, rows: rows)
    let user = Unmanaged.passUnretained(state).toOpaque()
    vterm_set_utf8(terminal, 1)
    vterm_output_set_callback(
      terminal,
      { bytes, count, user in
        guard let bytes, let user else { return }
        let state = Unmanaged<State>.fromOpaque(user).takeUnretainedValue()
        state.replies += UnsafeRawBufferPointer(start: bytes, count: count)
      }, user)
    vterm_screen_set_callbacks(screen, callbacks, user)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit {
    vterm_free(terminal)
    callbacks.deinitialize(count: 1)
    callbacks.deallocate()
  }

  func feed(_ bytes: some Collection<UInt8>) {
    Self.renaming(Array(bytes), after: &lead).withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      _ = vterm_input_write(terminal, start, buffer.count)
    }
  }

  /// Marks newer than libvterm's tables, which would give them a cell of their own. Kitty counts
  /// columns by them. They are sent to libvterm, and read back, as unused marks of the same length.
  private static let renamedMarks: [(mark: UInt32, name: UInt32)] = [
    (0x487, 0x358), (0x616, 0x359), (0x617, 0x35A),
  ]

  /// - Parameter lead: the first byte of a mark whose second byte is still to come.
  private static func renaming(_ bytes: [UInt8], after lead: inout UInt8?) -> [UInt8] {
    var bytes = (lead.map { [$0] } ?? []) + bytes
    lead = nil
    let hasLead = bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return false }
      return [0xD2, 0xD8].contains { memchr(start, $0, buffer.count) != nil }
    }
    guard hasLead else { return bytes }
    for index in bytes.indices where bytes[index] == 0xD2 || bytes[index] == 0xD8 {
      guard index + 1 < bytes.count else {
        lead = bytes.removeLast()
        break
      }
      let mark = UInt32(bytes[index] & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F)
      guard let name = renamedMarks.first(where: { $0.mark == mark })?.name else { continue }
      bytes[index] = 0xC0 | UInt8(name >> 6)
      bytes[index + 1] = 0x80 | UInt8(name & 0x3F)
    }
    return bytes
  }

  func resize(columns: Int, rows: Int) {
    self.columns = columns
    let columns = max(columns, Self.minimumColumns)
    state.resize(columns: columns, rows: rows)
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  /// The parts of painted pictures that have not been overwritten since; moving lines counts as
  /// writing.
  var pictures: [[PaintedCell?]] { state.pictures }

  /// Whether a picture was painted since the screen got its size.
  var hasPictures: Bool { state.hasPictures }

  /// Covers the cells of `strip`.
  func paint(_ strip: SixelStrip, cellWidth: Int, cellHeight: Int) {
    paint(
      strip.bytes, row: strip.row, column: strip.column,
      rows: (strip.height + cellHeight - 1) / cellHeight,
      columns: (strip.width + cellWidth - 1) / cellWidth)
  }

  /// Covers these cells with the picture of a sequence.
  func paint(_ sequence: [UInt8], row top: Int, column left: Int, rows: Int, columns: Int) {
    state.hasPictures = true
    for row in top..<(top + rows) {
      guard state.pictures.indices.contains(row) else { continue }
      for column in 0..<columns where left + column < state.pictures[row].count {
        state.pictures[row][left + column] = PaintedCell(
          strip: sequence, column: column, row: row - top)
      }
    }
  }

  /// The position of the cursor, from 0.
  var cursor: (row: Int, column: Int) {
    var position = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    return (Int(position.row), Int(position.col))
  }

  /// Takes the replies that libvterm has made since the last call.
  func takeReplies() -> [UInt8] {
    defer { state.replies = [] }
    return state.replies
  }

  /// - Complexity: O(cells of the rows that changed since the last call)
  func snapshot() -> ScreenSnapshot {
    readChanges()
    var snapshot = ScreenSnapshot(cells: rows.map(\.cells), lines: rows.map(\.text))
    let cursor = cursor
    snapshot.cursorRow = cursor.row
    snapshot.cursorColumn = cursor.column
    snapshot.isAlternate = state.isAlternate
    snapshot.isCursorVisible = state.isCursorVisible
    return snapshot
  }

  /// Reads the rows that changed since they were last read.
  ///
  /// - Parameter body: called for each of these rows with its number, its cells, and which of them
  ///   were written and not erased since.
  func readChanges(
    _ body: (_ row: Int, _ cells: [ScreenCell], _ isWritten: [Bool]) -> Void = { _, _, _ in }
  ) {
    if rows.count != state.changed.count {
      rows = Array(repeating: Row(), count: state.changed.count)
    }
    for row in rows.indices where state.changed[row] {
      state.changed[row] = false
      rows[row] = read(row)
      body(row, rows[row].cells, rows[row].isWritten)
    }
  }

  private func read(_ number: Int) -> Row {
    var row = Row()
    row.cells.reserveCapacity(columns)
    row.isWritten.reserveCapacity(columns)
    var raw = VTermScreenCell()
    for column in 0..<columns {
      let place = VTermPos(row: Int32(number), col: Int32(column))
      let isCell = vterm_screen_get_cell(screen, place, &raw) != 0
      row.cells.append(isCell ? cell(raw) : ScreenCell())
      row.isWritten.append(isCell && raw.chars.0 != 0)
    }
    row.text = ScreenSnapshot.text(of: row.cells)
    return row
  }

  private func cell(_ raw: VTermScreenCell) -> ScreenCell {
    var cell = ScreenCell()
    // The right half of a wide character has this value instead of a code point.
    if raw.chars.0 == .max {
      cell.text = ""
      cell.width = 0
    } else if raw.chars.0 != 0 {
      cell.text = text(of: raw)
      cell.width = Int(raw.width)
    }
    cell.foreground = color(raw.fg)
    cell.background = color(raw.bg)
    cell.isBold = raw.attrs.bold != 0
    cell.isItalic = raw.attrs.italic != 0
    cell.isUnderlined = raw.attrs.underline != 0
    cell.isReversed = raw.attrs.reverse != 0
    return cell
  }

  private func text(of raw: VTermScreenCell) -> String {
    if raw.chars.1 == 0, raw.chars.0 < 0x80, let scalar = Unicode.Scalar(raw.chars.0) {
      return String(scalar)
    }
    return withUnsafeBytes(of: raw.chars) { chars in
      var text = ""
      for value in chars.bindMemory(to: UInt32.self).prefix(while: { $0 != 0 }) {
        let value = Self.renamedMarks.first { $0.name == value }?.mark ?? value
        text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      }
      return text
    }
  }

  private func color(_ color: VTermColor) -> ScreenColor {
    let standard = UInt8(VTERM_COLOR_DEFAULT_FG.rawValue | VTERM_COLOR_DEFAULT_BG.rawValue)
    if color.type & standard != 0 { return .standard }
    if color.type & UInt8(VTERM_COLOR_INDEXED.rawValue) != 0 { return .indexed(color.indexed.idx) }
    return .rgb(color.rgb.red, color.rgb.green, color.rgb.blue)
  }
}

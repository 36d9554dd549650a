/// Where each cell of a terminal leads, which libvterm does not note: a second screen, to which
/// everything is fed that moves the cursor, writes and erases, with colours that stand for links in
/// place of styles.
///
/// As terminals do: what is written belongs to the link that is open, what is erased to none, and
/// what scrolls takes its link along.
final class LinkScreen {
  private let screen: VirtualScreen
  /// `id=…;address` in the order they were first opened; a link's colour is its place here plus
  /// one.
  private var links: [String] = []
  private var places: [String: Int] = [:]
  /// What is open now, as it was told; nil for nothing.
  private(set) var open: String?
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) { screen = VirtualScreen(columns: columns, rows: rows) }

  func resize(columns: Int, rows: Int) { screen.resize(columns: columns, rows: rows) }

  /// Takes a character, or another byte that is no part of a sequence.
  func feed(_ byte: UInt8) { pending.append(byte) }

  /// Takes a whole sequence.
  func feed(sequence: [UInt8]) {
    if sequence.starts(with: Array("\u{1B}]8;".utf8)) {
      let text = String(decoding: sequence.dropFirst(4), as: UTF8.self)
      let link = text.hasSuffix("\u{7}") ? text.dropLast() : text.dropLast(2)
      open(String(link))
    } else if sequence.last != UInt8(ascii: "m") || sequence.dropFirst().first != UInt8(ascii: "[")
    {
      pending += sequence
    }
  }

  private func open(_ link: String) {
    // Parameters, which may be empty, then the address.
    let address = link.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard address.count == 2, !address[1].isEmpty else {
      open = nil
      pending += Array("\u{1B}[39m".utf8)
      return
    }
    let place = places[link] ?? links.count
    if place == links.count {
      links.append(link)
      places[link] = place
    }
    open = link
    let color = place + 1
    pending += Array(
      "\u{1B}[38;2;\(color >> 16 & 255);\(color >> 8 & 255);\(color & 255)m".utf8)
  }

  /// Notes in each cell of `snapshot` where it leads.
  func mark(_ snapshot: inout ScreenSnapshot) {
    screen.feed(pending)
    pending = []
    _ = screen.takeReplies()
    let written = screen.written()
    let colors = screen.snapshot()
    for row in snapshot.cells.indices where colors.cells.indices.contains(row) {
      for column in snapshot.cells[row].indices where colors.cells[row].indices.contains(column) {
        if snapshot.cells[row][column].width == 0, column > 0 {
          snapshot.cells[row][column].link = snapshot.cells[row][column - 1].link
        } else if written[row][column],
          case .rgb(let r, let g, let b) = colors.cells[row][column].foreground
        {
          let place = Int(r) << 16 | Int(g) << 8 | Int(b)
          snapshot.cells[row][column].link = links[place - 1]
        }
      }
    }
  }
}

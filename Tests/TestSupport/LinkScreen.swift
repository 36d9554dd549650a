/// The link of each cell of a terminal, which libvterm does not record: a second screen that
/// receives everything that moves the cursor, writes and erases, with colours for links in place of
/// styles.
///
/// As in terminals, written cells belong to the open link, erased cells to none, and scrolled cells
/// keep their link.
final class LinkScreen {
  private let screen: VirtualScreen
  /// `id=…;address` in the order in which they were first opened; a link's colour is its index plus
  /// one.
  private var links: [String] = []
  private var places: [String: Int] = [:]
  /// The open link as received; `nil` for none.
  private(set) var open: String?
  private var pending: [UInt8] = []
  /// By row, the cells that have a link.
  private var linked: [Int: [(column: Int, link: String)]] = [:]

  init(columns: Int, rows: Int) { screen = VirtualScreen(columns: columns, rows: rows) }

  func resize(columns: Int, rows: Int) { screen.resize(columns: columns, rows: rows) }

  /// Receives characters, and other bytes outside sequences.
  func feed(_ bytes: [UInt8]) { pending += bytes }

  /// Receives a whole sequence.
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

  /// Records the link of each cell in `snapshot`.
  func mark(_ snapshot: inout ScreenSnapshot) {
    screen.feed(pending)
    pending = []
    _ = screen.takeReplies()
    screen.readChanges { row, cells, isWritten in
      linked[row] = cells.indices.compactMap { column in
        // The right half of a wide character has no colour of its own.
        let column = (column, cells[column].width == 0 && column > 0 ? column - 1 : column)
        guard isWritten[column.1], case .rgb(let r, let g, let b) = cells[column.1].foreground
        else { return nil }
        return (column.0, links[(Int(r) << 16 | Int(g) << 8 | Int(b)) - 1])
      }
    }
    for (row, cells) in linked where !cells.isEmpty { snapshot.setLinks(cells, inRow: row) }
  }
}

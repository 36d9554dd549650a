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
  /// By row, the cells that lead somewhere.
  private var linked: [Int: [(column: Int, link: String)]] = [:]

  init(columns: Int, rows: Int) { screen = VirtualScreen(columns: columns, rows: rows) }

  func resize(columns: Int, rows: Int) { screen.resize(columns: columns, rows: rows) }

  /// Takes characters, and other bytes that are no part of a sequence.
  func feed(_ bytes: [UInt8]) { pending += bytes }

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

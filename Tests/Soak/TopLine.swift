import TestSupport

/// The first line of a list that can be recognized, by a unique word.
struct TopLine: Hashable {
  /// The row, counted from the top of the screen.
  let row: Int
  /// A word of ``SoakPost``.
  let word: String

  /// `nil` if no unique word is visible, or if it is below something whose height may change by
  /// itself: a picture or its caption.
  ///
  /// - Parameter rows: the rows of the list.
  init?(_ screen: ScreenSnapshot, rows: Range<Int>) {
    for row in rows.prefix(3) {
      let words = Self.words(in: screen.line(row))
      if let word = words.first {
        // Further right, the number of new posts can cover it.
        guard (screen.column(of: String(word), inRow: row) ?? .max) < screen.columns / 3 else {
          return nil
        }
        (self.row, self.word) = (row, String(word))
        return
      }
      let line = screen.line(row)
      guard line.contains("Gauge ") || line.allSatisfy({ $0 == " " || $0 == "▕" }) else {
        return nil
      }
    }
    return nil
  }

  /// Whether the word is in the same row. Other text may have appeared beside it, such as the
  /// number of new posts.
  func stands(in screen: ScreenSnapshot) -> Bool {
    Self.words(in: screen.line(row)).contains(Substring(word))
  }

  /// The post that the word belongs to.
  var post: Int? { SoakPost.number(ofToken: word) }

  static func words(in line: String) -> [Substring] {
    line.split(separator: " ").filter { word in
      let parts = word.dropFirst().split(
        omittingEmptySubsequences: false, whereSeparator: { $0 == "w" || $0 == "t" })
      return word.first == "p" && parts.count == 2
        && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
    }
  }

  /// Whether the end of the list is near: its last post is visible, the scroll bar's thumb is at
  /// the bottom, or there is no scroll bar because everything is visible.
  static func isEndNear(_ screen: ScreenSnapshot, rows: Range<Int>, lastPost: Int) -> Bool {
    guard let bottom = rows.last, screen.columns > 0 else { return true }
    if screen.cells[bottom][screen.columns - 1].text != "▕" { return true }
    return rows.contains { row in
      words(in: screen.line(row)).contains { SoakPost.number(ofToken: $0) == lastPost }
    }
  }
}

import System

/// A section of XML or HTML in which nothing is a tag.
enum MarkupSection: Int, CaseIterable {
  /// `<!-- … -->`
  case comment
  /// `<![CDATA[ … ]]>`
  case characterData
  /// `<? … ?>`
  case instruction

  private static let marks = ["<!--", "<![CDATA[", "<?"].map { Array($0.utf8) }
  private static let ends = ["-->", "]]>", "?>"].map { Array($0.utf8) }

  /// The bytes with which it begins.
  var mark: [UInt8] { Self.marks[rawValue] }

  /// The section that begins at `start`; `nil` if none does.
  ///
  /// - Complexity: O(1).
  init?(in bytes: UnsafeRawBufferPointer, at start: Int) {
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "<"),
      bytes[start + 1] == UInt8(ascii: "!") || bytes[start + 1] == UInt8(ascii: "?"),
      let section = Self.allCases.first(where: { bytes[start...].starts(with: $0.mark) })
    else { return nil }
    self = section
  }

  /// Offset behind the end of the section whose content begins at `start`; `nil` if it does not end
  /// in the bytes.
  ///
  /// - Complexity: O(n) in its bytes.
  func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let end = Self.ends[rawValue]
    var position = start
    while let found = bytes.index(of: end[0], from: position) {
      if bytes[found...].starts(with: end) { return found + end.count }
      position = found + 1
    }
    return nil
  }
}

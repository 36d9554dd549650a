import System

/// A section of XML or HTML in which nothing is a tag.
enum MarkupSection {
  /// `<!-- … -->`
  case comment
  /// `<![CDATA[ … ]]>`
  case characterData
  /// `<? … ?>`
  case instruction

  /// The section that begins at `start`; `nil` if none does.
  ///
  /// - Complexity: O(1).
  init?(in bytes: UnsafeRawBufferPointer, at start: Int) {
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "<") else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "?"): self = .instruction
    case UInt8(ascii: "!"):
      let rest = bytes[start...]
      if rest.starts(with: MarkupSection.comment.mark) {
        self = .comment
      } else if rest.starts(with: MarkupSection.characterData.mark) {
        self = .characterData
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// The bytes with which it begins.
  var mark: [UInt8] {
    switch self {
    case .comment: Self.commentMark
    case .characterData: Self.characterDataMark
    case .instruction: Self.instructionMark
    }
  }

  private static let commentMark = Array("<!--".utf8)
  private static let characterDataMark = Array("<![CDATA[".utf8)
  private static let instructionMark = Array("<?".utf8)

  /// Offset behind the end of the section whose content begins at `start`; `nil` if it does not end
  /// in the bytes.
  ///
  /// - Complexity: O(n) in its bytes.
  func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let (first, count): (UInt8, Int) =
      switch self {
      case .comment: (UInt8(ascii: "-"), 3)
      case .characterData: (UInt8(ascii: "]"), 3)
      case .instruction: (UInt8(ascii: "?"), 2)
      }
    var position = start
    while let found = bytes.index(of: first, from: position), found + count <= bytes.count {
      if bytes[found + count - 1] == UInt8(ascii: ">"), bytes[found + count - 2] == first {
        return found + count
      }
      position = found + 1
    }
    return nil
  }
}

import System

/// Searches the bytes of XML as they arrive: `nil` means that more bytes are needed, unless these
/// are the last.
enum XMLScan {
  /// Offset of the first `mark` that begins before `end`.
  static func index(
    of mark: [UInt8], in bytes: UnsafeRawBufferPointer, before end: Int
  ) -> Int? {
    var position = 0
    while let first = mark.first, let found = bytes.index(of: first, from: position),
      found < end
    {
      if bytes[found...].starts(with: mark) { return found }
      position = found + 1
    }
    return nil
  }

  /// Maximum number of bytes of a name that are examined.
  private static let nameBytes = 128

  /// The range of the name at `start`; `nil` if it may continue behind the bytes.
  static func name(
    in bytes: UnsafeRawBufferPointer, from start: Int, _ isFinal: Bool
  ) -> Range<Int>? {
    let last = min(bytes.count, start + nameBytes)
    var end = start
    while end < last {
      switch bytes[end] {
      case 48...58, 65...90, 97...122, 45, 46, 95, 128...: end += 1
      default: return start..<end
      }
    }
    return end < start + nameBytes && !isFinal ? nil : start..<end
  }

  /// The end of a root's tag; `nil` while it may still arrive.
  static func tagEnd(
    _ bytes: UnsafeRawBufferPointer, at start: Int, _ isFinal: Bool
  ) -> Int? {
    let seen = bytes.prefix(start + FeedLimits.beginningBytes + 1)
    let tag = XMLMarkup.tag(in: UnsafeRawBufferPointer(rebasing: seen), at: start)
    return tag.isClosed || tag.end < bytes.count || isFinal ? tag.end : nil
  }

  /// Offset behind the next two `first` followed by a `>`; `nil` if there are none.
  static func end(
    _ first: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    var position = start
    while let found = bytes.index(of: first, from: position), found + 2 < bytes.count {
      if bytes[found + 1] == first, bytes[found + 2] == UInt8(ascii: ">") { return found + 3 }
      position = found + 1
    }
    return nil
  }
}

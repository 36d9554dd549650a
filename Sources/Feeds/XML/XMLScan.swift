import System

/// Steps through the bytes of XML as they come: what may go on behind them is nil, unless they are
/// the last ones.
enum XMLScan {
  /// Where `mark` stands first in the bytes before `end`.
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

  /// Bytes of a name that are looked at.
  private static let nameBytes = 128

  /// Where a name stands; nil where it may go on behind the bytes.
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

  /// Where a root's tag ends: it is waited for as long as it may still come.
  static func tagEnd(
    _ bytes: UnsafeRawBufferPointer, at start: Int, _ isFinal: Bool
  ) -> Int? {
    let seen = bytes.prefix(start + FeedLimits.beginningBytes + 1)
    let tag = XMLMarkup.tag(in: UnsafeRawBufferPointer(rebasing: seen), at: start)
    return tag.isClosed || tag.end < bytes.count || isFinal ? tag.end : nil
  }

  /// Behind the next two `first` with a `>`; nil where there is none.
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

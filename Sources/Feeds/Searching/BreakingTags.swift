import System

/// Tags that begin another paragraph, so that no word goes on behind them.
enum BreakingTags {
  private static let names = ElementNames<Bool>([
    (
      true,
      "p div section article header footer figure figcaption ul ol li h1 h2 h3 h4 h5 h6"
        + " blockquote table tr td th dl dt dd hr"
    )
  ])
  /// Of a longer tag it is not known.
  private static let longestTag = 128
  private static let endings = ["&gt;", "\\u003e", "\\u003E"].map { Array($0.utf8) }

  /// Whether such a tag begins behind a `<`, at `start`. One that may hide its element begins none.
  ///
  /// - Complexity: O(1)
  static func stands(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    var end = start
    while end < bytes.count, end - start < 12, bytes[end].isAlphanumeric { end += 1 }
    guard end > start, names[ElementName(bytes[start..<end])] != nil else { return false }
    let limit = min(bytes.count, start + longestTag)
    var marks = 0
    var place = end
    while place < limit {
      switch bytes[place] {
      case UInt8(ascii: ">"): return marks % 2 == 0
      case UInt8(ascii: "&"), UInt8(ascii: "\\"):
        if marks % 2 == 0, endings.contains(where: bytes[place..<limit].starts) { return true }
        // Quotation marks in strings of JSON.
        guard place + 1 < limit, bytes[place + 1] == UInt8(ascii: "\"") else { return false }
      case UInt8(ascii: "\""): marks += 1
      case UInt8(ascii: "'"), UInt8(ascii: "<"): return false
      // An attribute that is called `hidden`.
      case UInt8(ascii: "h"), UInt8(ascii: "H"): if marks % 2 == 0 { return false }
      default: break
      }
      place += 1
    }
    return false
  }
}

import Feeds
import TerminalViews
import TextLayout

/// The badge of an author without a picture: one or two letters on a colour that stays the same.
enum Initials {
  /// `nil` if neither the name nor the handle has a usable character.
  static func badge(of author: Post.Author) -> ImageView.Badge? {
    badge(ofName: author.name, or: author.handle)
  }

  /// - Parameter handle: distinguishes authors of equal names by colour; provides the letters if
  ///   there is no name.
  static func badge(ofName name: String, or handle: String = "") -> ImageView.Badge? {
    let letters = letters(of: name) ?? letters(of: handle)
    guard let letters else { return nil }
    return ImageView.Badge(
      text: letters, number: stableNumber(of: handle.isEmpty ? name : handle))
  }

  /// The initials of the first and the last word. In scripts without capitals, one letter, which
  /// says as much as a syllable; of a name without letters, its first character.
  static func letters(of name: String) -> String? {
    let name = Sanitizer.line(name)
    let scalars = name.unicodeScalars
    var found: (first: String.Index, last: String.Index)?
    // Code points are fast to classify; this runs for every post that is shown.
    var hasLetter = false
    for index in scalars.indices {
      if isSeparator(scalars[index]) {
        hasLetter = false
      } else if !hasLetter, isLetterOrNumber(scalars[index]) {
        hasLetter = true
        found = (found?.first ?? index, index)
      }
    }
    guard let found else {
      return name.first {
        !"@-_/|·".contains($0) && !$0.isWhitespace && TextMetrics.current.width(of: $0) > 0
      }.map { String($0) }
    }
    let (first, last) = (name[found.first], name[found.last])
    guard found.first != found.last, first.isCased, last.isCased else { return capital(first) }
    return capital(first) + capital(last)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "-", "_", "/", "|", "·": true
    default: !scalar.isASCII && scalar.properties.isWhitespace
    }
  }

  private static func isLetterOrNumber(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default:
      !scalar.isASCII
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
  }

  private static func capital(_ letter: Character) -> String {
    let capital = letter.uppercased()
    // The capital of some letters is two letters.
    return capital.count == 1 ? capital : String(letter)
  }

  /// A hash that is equal in every run: FNV-1a of 64 bits. Its halves are mixed because few of its
  /// bits are used.
  private static func stableNumber(of text: String) -> UInt64 {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash ^ hash >> 32
  }
}

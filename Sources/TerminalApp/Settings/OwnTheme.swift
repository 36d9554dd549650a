import Terminal
import TerminalViews
import TextLayout

extension ConfigurationFile {
  /// The names of the themes that the file defines, sorted.
  ///
  /// - Complexity: O(n) in the bytes of the file, of which ``maximumBytes`` are read at most.
  package var themeNames: [String] {
    let defined = arguments(ofCommand: "theme").compactMap { argument -> String? in
      let words = argument.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard words.count > 1, ThemeChoice(rawValue: String(words[0])) == nil,
        (try? OwnTheme(words[1])) != nil
      else { return nil }
      return String(words[0])
    }
    return Set(defined).sorted()
  }
}

/// A theme that the user has defined: colours by name, over those of a light or a dark background.
struct OwnTheme: Hashable {
  /// The background that the theme is for.
  private(set) var choice = ThemeChoice.auto
  private(set) var colors = NamedColors()

  /// Reads `dark title=#ebcb8b link=#8c8`: a background, which may be missing, and colours.
  init(_ words: Substring) throws(CommandRefusal) {
    for word in words.split(whereSeparator: \.isWhitespace) {
      if let choice = ThemeChoice(rawValue: String(word)) {
        self.choice = choice
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = NamedColors.Name(rawValue: String(parts[0])) else {
        let names = NamedColors.Name.allCases.map(\.rawValue)
        let quoted = NearestNames.quoted(String(parts[0]), among: names)
        throw CommandRefusal(reason: "no colour is called \(quoted)")
      }
      guard parts.count == 2, let color = Self.color(parts[1]) else {
        throw CommandRefusal(reason: "a colour is written as in \(name.rawValue)=#8fbcbb")
      }
      colors[name] = color
    }
  }

  /// A colour by its channels: `#rrggbb` or `#rgb`.
  private static func color(_ text: Substring) -> RGB? {
    let digits = text.dropFirst()
    guard text.first == "#", digits.allSatisfy(\.isHexDigit), digits.allSatisfy(\.isASCII) else {
      return nil
    }
    let wide = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
    guard wide.count == 6, let value = UInt32(wide, radix: 16) else { return nil }
    return RGB(
      UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
      UInt8(truncatingIfNeeded: value))
  }

  /// The colours that are hard to read, in one line; `nil` if there are none.
  ///
  /// - Parameter terminal: the colours that the terminal reports.
  func trouble(_ choice: ThemeChoice, on terminal: TerminalColors) -> String? {
    let low = colors.lowContrasts(choice, on: terminal)
    guard !low.isEmpty else { return nil }
    let ratios = low.map {
      "\($0.name.rawValue) \(Self.ratio($0.contrast)) of \(Self.ratio($0.minimum))"
    }
    return "low contrast: " + ratios.joined(separator: ", ")
  }

  /// A ratio with one decimal, rounded down.
  private static func ratio(_ value: Double) -> String {
    let tenths = Int(min(max(value, 0), 21) * 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

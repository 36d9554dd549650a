/// The colours that a terminal has of its own, as far as they are known.
public struct TerminalColors: Hashable, Sendable {
  /// Of text that has no colour of its own.
  public var foreground: RGB?
  /// Of what lies behind it.
  public var background: RGB?
  /// Whether the background is said to be light by somebody else than the terminal; nil where
  /// nobody says anything.
  public var isSaidToBeLight: Bool?
  private var entries: [RGB?] = Array(repeating: nil, count: Self.paletteSize)

  /// Entries of the palette that are the user's own.
  public static let paletteSize = 16

  /// Nothing is known.
  public init() {}

  /// The user's palette; nil where not all of it is known.
  public var palette: [RGB]? {
    get {
      let known = entries.compactMap { $0 }
      return known.count == Self.paletteSize ? known : nil
    }
    set {
      let colors = newValue ?? []
      entries = (0..<Self.paletteSize).map { colors.indices.contains($0) ? colors[$0] : nil }
    }
  }

  /// Whether the background is light: what the terminal says, then what others say, else it is not.
  public var isLight: Bool {
    guard let background else { return isSaidToBeLight ?? false }
    // As far from black as from white, for the eye.
    return background.contrast(with: .black) > background.contrast(with: .white)
  }

  /// Takes an entry of the palette in; others than the user's own are passed over.
  mutating func setEntry(_ index: Int, _ color: RGB) {
    if entries.indices.contains(index) { entries[index] = color }
  }

  /// What `COLORFGBG` says, as terminals set it that cannot be asked: `15;0`, or `0;default;15`.
  ///
  /// - Returns: whether the background is light; nil where it says nothing.
  static func isLight(colorFGBG value: String) -> Bool? {
    guard let last = value.split(separator: ";").last, let index = Int(last),
      (0..<paletteSize).contains(index)
    else { return nil }
    return index == 7 || index > 8
  }

  /// The colours of Linux' console, which cannot be asked.
  static let linuxConsole: TerminalColors = {
    var colors = TerminalColors()
    colors.foreground = RGB(170, 170, 170)
    colors.background = .black
    colors.palette = (0..<16).map { index in
      let low: UInt8 = index < 8 ? 0 : 85
      func part(_ bit: Int) -> UInt8 { index & bit == 0 ? low : low + 170 }
      // Dark yellow is brown there.
      return index == 3 ? RGB(170, 85, 0) : RGB(part(1), part(2), part(4))
    }
    return colors
  }()
}

extension TerminalColors {
  /// Takes what a terminal reports: 10 its foreground, 11 its background, 4 an entry of its
  /// palette.
  ///
  /// - Returns: whether something was in it.
  @discardableResult mutating func note(report number: Int, _ text: String) -> Bool {
    switch number {
    case 10, 11:
      guard let color = RGB(colorReport: text) else { return false }
      if number == 10 { foreground = color } else { background = color }
    case 4:
      // Several may come in one: `0;rgb:…;1;rgb:…`.
      let parts = text.split(separator: ";", omittingEmptySubsequences: false)
      var hasFound = false
      for (index, color) in zip(parts, parts.dropFirst()) {
        guard let index = Int(index), let color = RGB(colorReport: String(color)) else { continue }
        setEntry(index, color)
        hasFound = true
      }
      return hasFound
    default: return false
    }
    return true
  }
}

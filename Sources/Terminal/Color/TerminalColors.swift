/// The known colours of the terminal itself.
public struct TerminalColors: Hashable, Sendable {
  /// The colour of text that has none of its own.
  public var foreground: RGB?
  /// The colour behind such text.
  public var background: RGB?
  /// Whether the background is light by another source than the terminal's report, such as
  /// `COLORFGBG`; `nil` if none says so.
  public var isLightByEnvironment: Bool?
  private var entries: [RGB?] = Array(repeating: nil, count: Self.paletteSize)

  /// The number of palette entries that the user may define.
  public static let paletteSize = 16

  /// Colours of which none is known.
  public init() {}

  /// The user's palette; `nil` if not all of it is known.
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

  /// Whether the background is light: by the terminal's report, else by other sources, else
  /// `false`.
  public var isLight: Bool {
    guard let background else { return isLightByEnvironment ?? false }
    // Nearer to white than to black for the eye.
    return background.contrast(with: .black) > background.contrast(with: .white)
  }

  /// Stores an entry of the palette; entries beyond the user's are ignored.
  mutating func setEntry(_ index: Int, _ color: RGB) {
    if entries.indices.contains(index) { entries[index] = color }
  }

  /// Reads `COLORFGBG`, which terminals set that cannot be queried: `15;0`, or `0;default;15`.
  ///
  /// - Returns: whether the background is light; `nil` if the value does not say.
  static func isLight(colorFGBG value: String) -> Bool? {
    guard let last = value.split(separator: ";").last, let index = Int(last),
      (0..<paletteSize).contains(index)
    else { return nil }
    return index == 7 || index > 8
  }

  /// The colours of the Linux console, which cannot be queried.
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
  /// Stores the colours in a report: 10 is the foreground, 11 the background, 4 an entry of the
  /// palette.
  ///
  /// - Returns: whether it contained a colour.
  @discardableResult mutating func note(report number: Int, _ text: String) -> Bool {
    switch number {
    case 10, 11:
      guard let color = RGB(colorReport: text) else { return false }
      if number == 10 { foreground = color } else { background = color }
    case 4:
      // A report may contain several entries: `0;rgb:…;1;rgb:…`.
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

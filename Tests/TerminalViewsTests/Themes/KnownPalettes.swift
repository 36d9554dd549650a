import Terminal

/// Colours of common terminals: the palette of 16, text and background.
struct KnownPalette: CustomStringConvertible {
  let description: String
  let colors: TerminalColors
  let foreground: RGB
  let background: RGB
  let palette: [RGB]

  private init(_ name: String, text: Int, on background: Int, _ palette: [Int]) {
    func rgb(_ value: Int) -> RGB {
      RGB(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }
    description = name
    foreground = rgb(text)
    self.background = rgb(background)
    self.palette = palette.map(rgb)
    var colors = TerminalColors()
    colors.foreground = foreground
    colors.background = self.background
    colors.palette = self.palette
    self.colors = colors
  }

  private static let xterm = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
  private static let solarized = [
    0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
    0x002B36, 0xCB4B16, 0x586E75, 0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3,
  ]
  private static let gruvbox = [
    0x282828, 0xCC241D, 0x98971A, 0xD79921, 0x458588, 0xB16286, 0x689D6A, 0xA89984,
    0x928374, 0xFB4934, 0xB8BB26, 0xFABD2F, 0x83A598, 0xD3869B, 0x8EC07C, 0xEBDBB2,
  ]
  private static let console = [
    0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA,
    0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
  ]

  static let light = [
    KnownPalette("xterm", text: 0x000000, on: 0xFFFFFF, xterm),
    KnownPalette("Solarized light", text: 0x657B83, on: 0xFDF6E3, solarized),
  ]
  static let dark = [
    KnownPalette("xterm, reversed", text: 0xE5E5E5, on: 0x000000, xterm),
    KnownPalette("xterm, grey on black", text: 0xBEBEBE, on: 0x000000, xterm),
    KnownPalette("Solarized dark", text: 0x839496, on: 0x002B36, solarized),
    KnownPalette("Gruvbox", text: 0xEBDBB2, on: 0x282828, gruvbox),
    KnownPalette("Linux console", text: 0xAAAAAA, on: 0x000000, console),
  ]

  // MARK: The visible colours

  /// The contrast of text of a style with its background, on a terminal that shows it worst: bold
  /// may select the brighter half of the palette, and dim may mix a third of the background or of
  /// black into the text.
  func contrast(of style: Style) -> Double {
    let isBold = style.attributes.contains(.bold)
    let grounds = seen(style.background, isBold: false) ?? background
    var texts = [seen(style.foreground, isBold: false) ?? foreground]
    if isBold { texts.append(seen(style.foreground, isBold: true) ?? foreground) }
    if style.attributes.contains(.dim) {
      let ends = [grounds, RGB(0, 0, 0)]
      texts += texts.flatMap { text in ends.map { Self.mix(text, $0, 1.0 / 3) } }
    }
    return texts.map { $0.contrast(with: grounds) }.min() ?? 1
  }

  private static func mix(_ a: RGB, _ b: RGB, _ share: Double) -> RGB {
    func part(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8(Double(a) * (1 - share) + Double(b) * share)
    }
    return RGB(part(a.red, b.red), part(a.green, b.green), part(a.blue, b.blue))
  }

  /// The colour that the terminal shows; `nil` for its own.
  func seen(_ color: Color, isBold: Bool) -> RGB? {
    guard (0..<16).contains(color.rawValue) else { return color.rgb }
    return palette[Int(color.rawValue) | (isBold ? 8 : 0)]
  }
}

import Terminal

/// Coloured blocks with text on them. With 256 colours or more each has a contrast of 3 : 1 with
/// the background and of 4.5 : 1 with its text, black or white, and none is brighter than that
/// requires.
struct BlockColors: Hashable, Sendable {
  let quiet: Style
  private let styles: [Style]

  init(_ chooser: ColorChooser) {
    switch chooser.depth {
    case .none, .ansi16:
      // The user's own colours, exchanged, are as readable as the text they are taken from.
      let colors = [chooser.accent(contrast: ColorChooser.textContrast), chooser.text]
      styles = colors.map { Style(foreground: $0, attributes: .reverse) }
      quiet = Style(foreground: chooser.secondary, attributes: .reverse)
    case .indexed256, .trueColor:
      styles = Self.hues.map { Self.style(of: $0, chooser) }
      quiet = Self.style(of: RGB(110, 110, 110), chooser)
    }
  }

  func style(_ number: UInt64) -> Style { styles[Int(number % UInt64(styles.count))] }

  /// Distinguishable at a glance in this order, and none of them loud.
  private static let hues = [
    RGB(47, 96, 160), RGB(160, 84, 20), RGB(18, 110, 84), RGB(140, 60, 130), RGB(96, 100, 20),
    RGB(100, 76, 170), RGB(164, 60, 70), RGB(20, 104, 120), RGB(120, 84, 60), RGB(80, 104, 60),
    RGB(150, 66, 100), RGB(84, 92, 120),
  ]

  private static func style(of hue: RGB, _ chooser: ColorChooser) -> Style {
    let ground = chooser.background
    /// Black or white, whichever is more readable on a colour.
    func text(on color: RGB) -> RGB {
      color.contrast(with: .white) >= color.contrast(with: .black) ? .white : .black
    }
    func fits(_ color: RGB) -> Bool {
      color.contrast(with: ground) >= ColorChooser.markContrast
        && color.contrast(with: text(on: color)) >= ColorChooser.textContrast
    }
    var block = hue
    let end: RGB = chooser.isLight ? .black : .white
    for step in 0...64 where !fits(block) { block = hue.mixed(with: end, Double(step) / 64) }
    // The colours of the cube are enough, and take fewer bytes to set.
    let nearest = chooser.nearest(to: block, where: fits)
    let isWhite = nearest.rgb.map { text(on: $0) == .white } ?? true
    return Style(foreground: .palette(isWhite ? 231 : 16), background: nearest)
  }
}

import Terminal

/// Finds colours that are readable on a terminal's background. Rules:
///
/// 1. The terminal's reported colours are used if they fit the theme that the user wants. Otherwise
///    a background is assumed on which fewer colours are readable than on the usual ones.
/// 2. A wanted colour that is not readable is moved towards black or white until it is; of 256
///    colours the nearest readable one is used.
/// 3. A colour of the theme's own may differ a little from the wanted one: a terminal with 24-bit
///    colours gets one of the 256 that can hardly be told from it, because its sequence is half as
///    long, and secondary text and the scroll bar are sent with every line.
/// 4. Of 16 colours, which the user may define, one is used only if it is known to be readable,
///    also in its bright variant, which bold may select; otherwise text has no colour.
struct ColorChooser {
  static let textContrast = 4.5
  static let markContrast = 3.0

  /// The contrast of titles, which is higher than that of body text.
  static let titleContrast = 6.0

  let depth: ColorDepth
  let isLight: Bool
  let foreground: RGB
  let background: RGB
  /// Whether `foreground` is the colour that the terminal has reported.
  private let knowsForeground: Bool
  /// Whether the terminal reports another background than the user wants.
  private let backgroundContradictsTheme: Bool
  private let palette: [RGB]?

  init(_ choice: ThemeChoice, _ colors: TerminalColors, _ depth: ColorDepth) {
    self.depth = depth
    isLight = choice == .auto ? colors.isLight : choice == .light
    let fits = colors.background != nil && colors.isLight == isLight
    background =
      fits ? colors.background ?? .black : isLight ? RGB(228, 222, 206) : RGB(48, 48, 48)
    backgroundContradictsTheme = colors.background != nil && !fits
    knowsForeground = fits && colors.foreground != nil
    foreground =
      knowsForeground
      ? colors.foreground ?? .black : isLight ? RGB(32, 32, 32) : RGB(208, 208, 208)
    palette = fits ? colors.palette : nil
  }

  // MARK: The colours of a theme

  /// The terminal's own foreground if that is readable. An unknown one is readable on all usual
  /// dark backgrounds, but not on all light ones. If the terminal's background is not the wanted
  /// one, its foreground is the only colour that is certainly readable.
  var text: Color {
    let isOwn =
      knowsForeground
      ? foreground.contrast(with: background) >= Self.textContrast
      : !isLight || backgroundContradictsTheme
    guard !isOwn else { return .default }
    return color(
      readable(foreground), Self.textContrast, of: greys(below: .infinity), unknownLight: 0)
  }

  /// Whether bold text in a colour of the user's palette may be too pale to read: black on a light
  /// background then becomes grey.
  var boldMayBePale: Bool { depth == .ansi16 && palette == nil && text != .default }

  /// Secondary text, with 42 % of the contrast of text, but at least the readable minimum and at
  /// most 7 : 1.
  var secondary: Color {
    let own = max(Self.textContrast, foreground.contrast(with: background))
    let wanted = min(max(Self.textContrast, own * 0.42), 7)
    let found = color(
      faded(foreground, to: wanted), Self.textContrast, of: greys(below: own * 0.9))
    return fallingBackToText(shortened(found, Self.textContrast))
  }

  /// The user's cyan, which is calm and unlike the blue of old web links.
  func accent(contrast: Double) -> Color {
    let wanted = palette?[6] ?? (isLight ? RGB(0, 112, 128) : RGB(95, 215, 215))
    let found = color(readable(wanted, contrast), contrast, of: [6, 14, 4, 12], unknown: 6)
    return fallingBackToText(palette == nil ? shortened(found, contrast) : found)
  }

  /// The user's blue, not quite as pure: it is unlike the colours of links, warnings and errors.
  var title: Color {
    let wanted =
      palette.map { $0[4].mixed(with: foreground, 0.25) }
      ?? (isLight ? RGB(30, 70, 150) : RGB(138, 173, 244))
    return fallingBackToText(
      color(readable(wanted, Self.titleContrast), Self.textContrast, of: [4, 12]))
  }

  /// The nearest colour to `wanted` that the terminal shows, readable or not; `nil` if it shows no
  /// colours, or 16 unknown ones.
  func shown(_ wanted: RGB) -> Color? {
    switch depth {
    case .none: return nil
    case .trueColor: return Color(wanted)
    case .indexed256: return nearest(to: wanted) { _ in true }
    case .ansi16:
      guard let palette else { return nil }
      let entries = palette.indices.prefix(TerminalColors.paletteSize)
      let nearest = entries.min {
        palette[$0].squaredDistance(to: wanted) < palette[$1].squaredDistance(to: wanted)
      }
      return nearest.map { Color.palette(UInt8($0)) }
    }
  }

  var warning: Color {
    let wanted = palette?[3] ?? RGB(200, 150, 30)
    return fallingBackToText(color(readable(wanted), Self.textContrast, of: [3, 11]))
  }

  var error: Color {
    let wanted = palette?[1] ?? RGB(214, 76, 68)
    return fallingBackToText(color(readable(wanted), Self.textContrast, of: [1, 9]))
  }

  var code: Color {
    let wanted = palette?[2] ?? RGB(110, 170, 90)
    return fallingBackToText(color(readable(wanted), Self.textContrast, of: [2, 10]))
  }

  /// The colour of rules and borders: visible, without drawing the eye.
  var line: Color {
    let wanted = faded(foreground, to: Self.markContrast * 1.02)
    let found = color(wanted, Self.markContrast, of: greys(below: 8, atLeast: Self.markContrast))
    return fallingBackToText(shortened(found, Self.markContrast))
  }

  /// A background between the terminal's and the colour of text, with `share` of the latter.
  func surface(share: Double) -> Color {
    let wanted = background.mixed(with: foreground, share)
    // Of 16 colours, a grey of the user's might be the colour of text.
    guard depth > .ansi16 else { return .default }
    return nearest(to: wanted) { _ in true }
  }

  /// `color`, or the colour of text if there is none.
  private func fallingBackToText(_ color: Color) -> Color { color == .default ? text : color }

  // MARK: Readable colours

  /// `wanted`, or the nearest colour to it on the way to black or white that reaches this contrast.
  func readable(_ wanted: RGB, _ contrast: Double = Self.textContrast) -> RGB {
    let end: RGB = isLight ? .black : .white
    for step in 0...64 {
      let color = drawn(wanted.mixed(with: end, Double(step) / 64))
      if color.contrast(with: background) >= contrast { return color }
    }
    return end
  }

  /// A colour as the screen shows it: slightly different if it has neither red nor green.
  private func drawn(_ color: RGB) -> RGB { Color(color).rgb ?? color }

  /// A colour between `color` and the background, with at least this contrast and little more.
  private func faded(_ color: RGB, to contrast: Double) -> RGB {
    let start = readable(color, contrast)
    for step in (0...64).reversed() {
      let faded = drawn(start.mixed(with: background, Double(step) / 64))
      if faded.contrast(with: background) >= contrast { return faded }
    }
    return start
  }

  /// The readable colour that the terminal shows for `wanted`, a readable 24-bit colour; the
  /// default colour if there is none.
  ///
  /// - Parameters:
  ///   - entries: suitable entries of the user's palette if the terminal has only 16 colours, the
  ///     best first.
  ///   - unknown: the entry that is readable in all usual dark palettes.
  ///   - unknownLight: the entry that is readable in all usual light palettes.
  private func color(
    _ wanted: RGB, _ contrast: Double, of entries: [UInt8], unknown: UInt8? = nil,
    unknownLight: UInt8? = nil
  ) -> Color {
    switch depth {
    case .none: return .default
    case .trueColor: return Color(wanted)
    case .indexed256: return nearest(to: wanted) { $0.contrast(with: background) >= contrast }
    case .ansi16:
      guard let palette else {
        return (isLight ? unknownLight : unknown).map { Color.palette($0) } ?? .default
      }
      let found = entries.first { isReadable($0, of: palette, contrast) }
      return found.map { Color.palette($0) } ?? .default
    }
  }

  /// The readable one of the 256 colours that can hardly be told from `color`, a 24-bit one;
  /// `color` itself if there is none.
  private func shortened(_ color: Color, _ contrast: Double) -> Color {
    guard depth == .trueColor, let wanted = color.rgb else { return color }
    let found = nearest(to: wanted) { $0.contrast(with: background) >= contrast }
    // Neighbouring greys differ by ten in each channel.
    let isNear = found.rgb.map { $0.squaredDistance(to: wanted) <= 3 * 10 * 10 } ?? false
    return isNear ? found : color
  }

  private func isReadable(_ entry: UInt8, of palette: [RGB], _ contrast: Double) -> Bool {
    [Int(entry), Int(entry | 8)].allSatisfy {
      palette[$0].contrast(with: background) >= contrast
    }
  }

  /// The nearly grey colours of the user's palette, in order of their contrast, the lowest first.
  private func greys(
    below limit: Double, atLeast least: Double = Self.textContrast
  ) -> [UInt8] {
    guard depth == .ansi16, let palette else { return [] }
    func contrast(_ entry: UInt8) -> Double { palette[Int(entry)].contrast(with: background) }
    return (0..<16).map { UInt8($0) }.filter { entry in
      let color = palette[Int(entry)]
      let parts = [color.red, color.green, color.blue]
      let spread = (parts.max() ?? 0) - (parts.min() ?? 0)
      return spread < 64 && contrast(entry) >= least && contrast(entry) < limit
    }.sorted { contrast($0) < contrast($1) }
  }

  /// The nearest colour of the cube and the greys that fulfils `condition`. These colours are the
  /// same on all terminals.
  func nearest(to wanted: RGB, where condition: (RGB) -> Bool) -> Color {
    var best: (distance: Int, color: Color)?
    for index in 16...255 {
      let color = Color.palette(UInt8(index))
      guard let rgb = color.rgb else { continue }
      let distance = rgb.squaredDistance(to: wanted)
      if distance < best?.distance ?? .max, condition(rgb) { best = (distance, color) }
    }
    return best?.color ?? .default
  }
}

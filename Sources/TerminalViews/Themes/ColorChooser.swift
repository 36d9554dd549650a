import Terminal

/// Finds colours that can be read on a terminal's background. Rules:
///
/// 1. What the terminal tells of its colours counts where it fits the background that is asked for.
///    Where it tells nothing, a background is assumed on which less can be read than on the usual
///    ones.
/// 2. A colour that is wanted and cannot be read goes towards black or white until it can; of 256
///    colours the nearest is taken that can be.
/// 3. Of 16 colours, the user's own, one is taken only where it is known and can be read, also when
///    bold shows it in the brighter half; else text has no colour.
struct ColorChooser {
  static let textContrast = 4.5
  static let markContrast = 3.0

  let depth: ColorDepth
  let isLight: Bool
  let foreground: RGB
  let background: RGB
  /// Whether the terminal has told its foreground, so that it can be judged.
  private let knowsForeground: Bool
  /// Whether the terminal says that its background is not the one that is asked for.
  private let isContradicted: Bool
  private let palette: [RGB]?

  init(_ choice: ThemeChoice, _ colors: TerminalColors, _ depth: ColorDepth) {
    self.depth = depth
    isLight = choice == .auto ? colors.isLight : choice == .light
    let fits = colors.background != nil && colors.isLight == isLight
    background =
      fits ? colors.background ?? .black : isLight ? RGB(228, 222, 206) : RGB(48, 48, 48)
    isContradicted = colors.background != nil && !fits
    knowsForeground = fits && colors.foreground != nil
    foreground =
      knowsForeground
      ? colors.foreground ?? .black : isLight ? RGB(32, 32, 32) : RGB(208, 208, 208)
    palette = fits ? colors.palette : nil
  }

  // MARK: What a theme is made of

  /// The terminal's own where that can be read. Where it is not told, that is so on all usual dark
  /// backgrounds, and not on all light ones; where the background is another than asked for, it is
  /// the only one that is surely read.
  var text: Color {
    let isOwn =
      knowsForeground
      ? foreground.contrast(with: background) >= Self.textContrast : !isLight || isContradicted
    guard !isOwn else { return .default }
    return color(
      readable(foreground), Self.textContrast, of: greys(below: .infinity), unknownLight: 0)
  }

  /// Whether bold text of a colour of the user's palette may come out paler than can be read: black
  /// on a light background is shown as grey then.
  var boldMayFade: Bool { depth == .ansi16 && palette == nil && text != .default }

  /// Text that stands back: by as much of the contrast as can be spared.
  var secondary: Color {
    let own = max(Self.textContrast, foreground.contrast(with: background))
    let wanted = min(max(Self.textContrast, own * 0.42), 7)
    let found = color(
      faded(foreground, to: wanted), Self.textContrast, of: greys(below: own * 0.9))
    return orText(found)
  }

  /// The user's cyan, which is calm and no link of the web's old blue.
  func accent(contrast: Double) -> Color {
    let wanted = palette?[6] ?? (isLight ? RGB(0, 112, 128) : RGB(95, 195, 210))
    return orText(color(readable(wanted, contrast), contrast, of: [6, 14, 4, 12], unknown: 6))
  }

  var warning: Color {
    let wanted = palette?[3] ?? RGB(200, 150, 30)
    return orText(color(readable(wanted), Self.textContrast, of: [3, 11]))
  }

  var error: Color {
    let wanted = palette?[1] ?? RGB(214, 76, 68)
    return orText(color(readable(wanted), Self.textContrast, of: [1, 9]))
  }

  var code: Color {
    let wanted = palette?[2] ?? RGB(110, 170, 90)
    return orText(color(readable(wanted), Self.textContrast, of: [2, 10]))
  }

  /// Lines, which are seen and do not draw the eye.
  var line: Color {
    let wanted = faded(foreground, to: Self.markContrast * 1.02)
    return orText(
      color(wanted, Self.markContrast, of: greys(below: 8, atLeast: Self.markContrast)))
  }

  /// A background that differs from the terminal's by this share of what its text does.
  func surface(share: Double) -> Color {
    let wanted = background.mixed(with: foreground, share)
    // Of 16 colours, a grey of the user's might be the text's own.
    guard depth > .ansi16 else { return .default }
    return nearest(to: wanted) { _ in true }
  }

  /// Where there is no such colour, that of text.
  private func orText(_ color: Color) -> Color { color == .default ? text : color }

  // MARK: Colours that can be read

  /// `wanted`, or what is nearest to it on the way to black or white that reaches this contrast.
  func readable(_ wanted: RGB, _ contrast: Double = Self.textContrast) -> RGB {
    let end: RGB = isLight ? .black : .white
    for step in 0...64 {
      let color = shown(wanted.mixed(with: end, Double(step) / 64))
      if color.contrast(with: background) >= contrast { return color }
    }
    return end
  }

  /// A colour as the screen shows it: not quite the same where it has neither red nor green.
  private func shown(_ color: RGB) -> RGB { Color(color).rgb ?? color }

  /// A colour between `color` and the background, of about this contrast and at least of it.
  private func faded(_ color: RGB, to contrast: Double) -> RGB {
    let start = readable(color, contrast)
    for step in (0...64).reversed() {
      let faded = shown(start.mixed(with: background, Double(step) / 64))
      if faded.contrast(with: background) >= contrast { return faded }
    }
    return start
  }

  /// What the terminal is to show for `wanted`, which can be read.
  ///
  /// - Parameters:
  ///   - entries: those of the user's palette that would do, the best first, where there are no
  ///     others.
  ///   - unknown: the one of them that can be read on all usual dark palettes.
  ///   - unknownLight: on all usual light ones.
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

  private func isReadable(_ entry: UInt8, of palette: [RGB], _ contrast: Double) -> Bool {
    [Int(entry), Int(entry | 8)].allSatisfy {
      palette[$0].contrast(with: background) >= contrast
    }
  }

  /// Colours of the user's palette that are nearly grey, those first that stand out least.
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

  /// The nearest of the cube and the greys for which `condition` holds: those are the same
  /// everywhere.
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

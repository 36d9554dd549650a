/// The number of colours a terminal shows, from none to 24-bit, in ascending order.
public enum ColorDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// Attributes only.
  case none
  /// The user's palette of 16; on terminals of 8, bold stands for the brighter half.
  case ansi16
  /// The palette of 256: 16 of the user's, a 6x6x6 cube and 24 greys.
  case indexed256
  /// 24-bit RGB.
  case trueColor

  public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }

  /// Whether a picture made of block characters is recognizable.
  package var allowsPictures: Bool { self >= .indexed256 }
}

/// The number of colours that the user wants (`--color`); the raw values are the option's values.
public enum ColorMode: String, Hashable, Sendable, CaseIterable {
  /// As many as the terminal shows.
  case auto
  /// 24-bit RGB, whether or not the terminal is known to show it.
  case trueColor = "truecolor"
  /// The palette of 256.
  case indexed256 = "256"
  /// The user's palette of 16.
  case ansi16 = "16"
  /// Attributes only.
  case never
}

extension ColorDepth {
  /// The depth to use, by these in order: the user's wish, `NO_COLOR`, the terminal's proof when
  /// probed, the claims of `COLORTERM` and `TERM`, the number of colours in the terminfo entry of
  /// `TERM`.
  ///
  /// tmux reduces colours by itself, so 24-bit is always safe inside it. GNU screen passes on a
  /// `COLORTERM` that it cannot honour, so this variable is ignored there.
  ///
  /// - Parameters:
  ///   - multiplexer: the multiplexer, if the environment does not name it.
  ///   - provedTrueColor: whether the terminal reported an RGB colour back.
  ///   - terminfoColors: `colors` of the entry of `TERM`; `nil` if it has none.
  static func detect(
    mode: ColorMode, environment: [String: String],
    multiplexer: CapabilityProbe.Multiplexer? = nil, provedTrueColor: Bool, terminfoColors: Int?
  ) -> ColorDepth {
    switch mode {
    case .trueColor: return .trueColor
    case .indexed256: return .indexed256
    case .ansi16: return .ansi16
    case .never: return .none
    case .auto: break
    }
    if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .none }
    if provedTrueColor { return .trueColor }
    let term = environment["TERM"] ?? ""
    let isTmux =
      environment["TMUX"] != nil || term.hasPrefix("tmux") || multiplexer == .tmux
    let isGNUScreen = !isTmux && (environment["STY"] != nil || multiplexer == .screen)
    if isTmux || term.hasSuffix("-direct") { return .trueColor }
    let claim = environment["COLORTERM"] ?? ""
    if (claim == "truecolor" || claim == "24bit") && !isGNUScreen { return .trueColor }
    let colors = terminfoColors ?? 0
    if colors >= 256 || term.contains("256color") { return .indexed256 }
    return colors >= 8 ? .ansi16 : .none
  }
}

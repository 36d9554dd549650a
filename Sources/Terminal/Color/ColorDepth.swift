/// How many colours the terminal shows, from none to 24-bit; ordered by that.
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

  /// True where block characters make a picture one can recognise.
  package var allowsPictures: Bool { self >= .indexed256 }
}

/// What the user asks for with `--color`; the raw values are its names.
public enum ColorMode: String, Hashable, Sendable, CaseIterable {
  /// Whatever the terminal shows.
  case auto
  /// 24-bit RGB, whatever the terminal is known to show.
  case trueColor = "truecolor"
  /// The palette of 256.
  case indexed256 = "256"
  /// The user's palette of 16.
  case ansi16 = "16"
  /// Attributes only.
  case never
}

extension ColorDepth {
  /// The depth to use, in this order: what the user asks for, `NO_COLOR`, what the terminal proved
  /// when probed, what `COLORTERM` and `TERM` claim, what the terminfo entry of `TERM` counts.
  ///
  /// tmux reduces colours by itself, so 24-bit is always safe inside it; GNU screen hands through a
  /// `COLORTERM` it cannot honour, so there only a proof counts.
  ///
  /// - Parameters:
  ///   - multiplexer: the one that is between where the environment does not name it.
  ///   - provedTrueColor: whether the terminal read an RGB colour back.
  ///   - terminfoColors: `colors` of the entry of `TERM`; nil where there is none.
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

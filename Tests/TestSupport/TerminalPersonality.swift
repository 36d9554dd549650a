/// The terminal that a ``TerminalSession`` emulates, by its replies to queries.
public struct TerminalPersonality: Sendable {
  public enum Colors: Sendable {
    case trueColor
    case indexed256
  }

  /// How inline pictures of iTerm2's protocol are drawn.
  public enum InlinePictures: Sendable {
    /// The cursor moves past the picture, whatever the sequence asks for.
    case movesCursor
    case keepsCursor
  }

  /// The value of TERM.
  public var term = "xterm-256color"
  /// Whether queries are answered at all.
  public var answersQueries = true
  /// Whether answers are sent only by ``TerminalSession/releaseAnswers()``.
  public var holdsAnswers = false
  public var colors = Colors.trueColor
  /// Name and version as XTVERSION reports them.
  public var version = "XTerm(379)"
  /// The reply to a query for the background (OSC 11), as `rgb:ffff/ffff/ffff`; `nil` for none.
  public var background: String?
  /// The terminal's features as listed by its primary device attributes; 4 is sixel.
  public var deviceAttributes = [62, 22]
  public var hasKittyGraphics = false
  /// `nil` if it draws no inline pictures.
  public var inlinePictures: InlinePictures?
  public var hasSynchronizedOutput = false
  /// Whether it records links (OSC 8).
  public var supportsLinks = false

  public init() {}

  /// A terminal with 24-bit colour and no special features.
  public static let xterm = TerminalPersonality()

  /// A terminal that draws sixels and reports it.
  public static var sixel: TerminalPersonality {
    var personality = TerminalPersonality()
    personality.deviceAttributes = [62, 4, 22]
    personality.hasSynchronizedOutput = true
    personality.version = "foot(1.13.1)"
    return personality
  }

  /// A terminal that drops large sixels, and cannot move lines after showing any.
  public static var xtermSixel: TerminalPersonality {
    var personality = TerminalPersonality.sixel
    personality.version = "XTerm(379)"
    return personality
  }

  /// A terminal that draws pictures in place of kitty's placeholders.
  public static var kitty: TerminalPersonality {
    var personality = TerminalPersonality()
    personality.version = "kitty(0.35.2)"
    personality.hasKittyGraphics = true
    personality.hasSynchronizedOutput = true
    return personality
  }

  /// A terminal that draws inline pictures and sixels, and moves the cursor past a picture.
  public static var iterm2: TerminalPersonality {
    var personality = TerminalPersonality.sixel
    personality.version = "iTerm2 3.6.10"
    personality.inlinePictures = .movesCursor
    return personality
  }

  /// A terminal that draws inline pictures and sixels, and leaves the cursor on request.
  public static var wezterm: TerminalPersonality {
    var personality = TerminalPersonality.sixel
    personality.version = "WezTerm 20240203-110809-5046fc22"
    personality.inlinePictures = .keepsCursor
    return personality
  }

  /// A terminal that supports links and is known to.
  public static var foot: TerminalPersonality {
    var personality = TerminalPersonality()
    personality.version = "foot(1.16.2)"
    personality.supportsLinks = true
    return personality
  }

  /// A terminal that answers nothing: a program must give up waiting for it.
  public static var mute: TerminalPersonality {
    var personality = TerminalPersonality()
    personality.answersQueries = false
    return personality
  }

  /// A terminal of 256 colours, which shows the nearest of them for 24-bit ones.
  public static var indexed256: TerminalPersonality {
    var personality = TerminalPersonality()
    personality.colors = .indexed256
    return personality
  }
}

/// The options for opening a ``Screen``.
public struct ScreenConfiguration: Sendable {
  /// The colours that the user wants.
  public var colorMode: ColorMode = .auto
  /// How the user wants pictures drawn.
  public var pictureMode: PictureMode = .auto
  /// Environment variables that describe the terminal: TERM, COLORTERM, NO_COLOR, TMUX, SSH_TTY …
  public var environment: [String: String]
  /// Whether to report wheel, buttons and drags; the terminal's own selection then needs Shift.
  public var reportsMouse = true
  /// Whether to report pasted text as one event instead of as keys.
  public var reportsPaste = true

  /// The default options for the terminal that `environment` describes.
  public init(environment: [String: String]) {
    self.environment = environment
  }
}

/// What a ``Screen`` is opened with.
public struct ScreenConfiguration: Sendable {
  /// Colours the user asks for.
  public var colorMode: ColorMode = .auto
  /// How the user wants pictures drawn.
  public var pictureMode: PictureMode = .auto
  /// Environment variables that describe the terminal: TERM, COLORTERM, NO_COLOR, TMUX, SSH_TTY …
  public var environment: [String: String]
  /// Report wheel, buttons and drags; the terminal's own selection then needs Shift.
  public var reportsMouse = true
  /// Report pasted text as one event instead of as keys.
  public var reportsPaste = true

  /// The usual choices on the terminal that `environment` describes.
  public init(environment: [String: String]) {
    self.environment = environment
  }
}

/// What the user asks for with `--pictures`; the raw values are its names.
public enum PictureMode: String, Hashable, Sendable, CaseIterable {
  /// The best way that the terminal is known to draw right.
  case auto
  /// By kitty's graphics protocol, with its placeholders.
  case kitty
  /// As sixels.
  case sixel
  /// As block characters.
  case symbols
  /// Not at all.
  case off
}

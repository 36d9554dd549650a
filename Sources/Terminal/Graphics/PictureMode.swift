/// What the user asks for with `--pictures`; the raw values are its names.
public enum PictureMode: String, Hashable, Sendable, CaseIterable {
  /// The best way that the terminal is known to draw right.
  case auto
  case kitty
  case sixel
  case symbols
  case off
}

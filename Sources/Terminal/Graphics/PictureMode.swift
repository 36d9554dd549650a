/// How the user wants pictures drawn (`--pictures`); the raw values are the option's values.
public enum PictureMode: String, Hashable, Sendable, CaseIterable {
  /// The best method that the terminal is known to draw correctly.
  case auto
  /// By kitty's graphics protocol, with its placeholders.
  case kitty
  /// As sixels.
  case sixel
  /// As block characters.
  case symbols
  /// No pictures.
  case off
}

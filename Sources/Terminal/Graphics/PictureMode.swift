/// How the user wants pictures drawn (`--pictures`); the raw values are the option's values.
///
/// The cases list all painters, the best first: `auto` takes the first that the terminal is known
/// to draw correctly.
public enum PictureMode: String, Hashable, Sendable, CaseIterable {
  /// The best method that the terminal is known to draw correctly.
  case auto
  /// By kitty's graphics protocol, with its Unicode placeholders.
  case kitty
  /// By iTerm2's protocol for inline pictures.
  case iterm2
  /// As sixels.
  case sixel
  /// As block characters.
  case symbols
  /// No pictures.
  case off

  /// The painter of this mode; `nil` for `auto`, which chooses another mode, and for `off`.
  var painter: (any PicturePainter.Type)? {
    switch self {
    case .kitty: KittyPainter.self
    case .iterm2: InlinePainter.self
    case .sixel: SixelPainter.self
    case .symbols: SymbolPainter.self
    case .auto, .off: nil
    }
  }
}

import Terminal
import TextLayout

/// How each kind of text looks: calm, one accent colour, dim for what is secondary.
public struct Theme: Hashable, Sendable {
  /// Links, tags, the selection's bar and the scroll bar's thumb.
  public var accent: Color
  /// Text that warns.
  public var warning: Color
  /// Text about something that failed.
  public var error: Color
  /// Code in a text.
  public var code: Color
  /// Behind a picture that is not there yet.
  public var placeholder: Color
  /// The scroll bar's track.
  public var track: Color

  /// The user's own palette for text, 24-bit colours only where the palette has none that fit.
  public static let standard = Theme(
    accent: .palette(6), warning: .palette(3), error: .palette(1), code: .palette(2),
    placeholder: .palette(236), track: .palette(238))

  /// A theme of six colours.
  public init(
    accent: Color, warning: Color, error: Color, code: Color, placeholder: Color, track: Color
  ) {
    self.accent = accent
    self.warning = warning
    self.error = error
    self.code = code
    self.placeholder = placeholder
    self.track = track
  }

  /// The looks of text that stands for `role`.
  public func style(for role: TextStyle.Role) -> Style {
    switch role {
    case .body: Style()
    case .secondary: Style(attributes: .dim)
    case .heading: Style(attributes: .bold)
    case .link: Style(foreground: accent, attributes: .underline)
    case .tag: Style(foreground: accent)
    case .code: Style(foreground: code)
    case .quote: Style(attributes: .dim)
    case .warning: Style(foreground: warning)
    case .error: Style(foreground: error)
    }
  }

  /// The looks of text of `style`: its role's and its emphasis.
  public func style(for style: TextStyle) -> Style {
    var result = self.style(for: style.role)
    if style.traits.contains(.bold) { result.attributes.insert(.bold) }
    if style.traits.contains(.italic) { result.attributes.insert(.italic) }
    if style.traits.contains(.underline) { result.attributes.insert(.underline) }
    if style.traits.contains(.strikethrough) { result.attributes.insert(.dim) }
    if style.traits.contains(.marked) {
      // Seen on every palette, also where the text is dim.
      result.attributes.insert(.reverse)
      result.attributes.remove(.dim)
    }
    return result
  }
}

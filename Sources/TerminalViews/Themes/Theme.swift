import Terminal
import TextLayout

/// The styles of each kind of text, and of the marks beside it: calm, with one accent colour and a
/// quieter colour for secondary text.
///
/// Views draw with the theme of the view around them (``View/theme``), and the outermost one with
/// that of the application's window; colours are specified nowhere else.
public struct Theme: Hashable, Sendable {
  /// Text; the terminal's own colour unless that is not readable.
  public var text: Color
  /// Secondary text: handles, times, captions, hints.
  public var secondary: Color
  /// Links, tags, and highlighted names.
  public var accent: Color
  /// The selection's bar and the scroll bar's thumb.
  public var mark: Color
  /// Text that warns.
  public var warning: Color
  /// Text about something that failed.
  public var error: Color
  /// Code in a text.
  public var code: Color
  /// Behind a picture that is loading, and behind the rest of a bar; no text is drawn on it.
  public var placeholder: Color
  /// Lines: the scroll bar's track, borders, the bars of quotations.
  public var track: Color
  /// The coloured blocks with text on them.
  let blocks: BlockColors
  /// Whether secondary text is dim, because there are no colours.
  private var dimsSecondary = false
  /// Whether text is underlined instead of bold, because bold text may be too pale.
  private var underlinesBold = false

  /// The theme for a terminal of which nothing is known: for a dark background.
  public static let standard = Theme(.dark, for: TerminalColors(), depth: .trueColor)

  /// A theme whose colours are readable on a terminal: text with a contrast of 4.5 : 1 or more,
  /// marks and lines with 3 : 1, as far as the terminal reports its colours. Otherwise it has
  /// colours that are readable on all usual terminals.
  ///
  /// The user's own colours are used unchanged if they are readable, and made readable if not.
  ///
  /// - Parameters:
  ///   - choice: the background; `auto` for the terminal's.
  ///   - colors: the colours that the terminal reports.
  ///   - depth: the colours that it shows.
  /// - Complexity: O(1); about 1,500 comparisons of colours if there are 256.
  public init(_ choice: ThemeChoice, for colors: TerminalColors, depth: ColorDepth) {
    let chooser = ColorChooser(choice, colors, depth)
    text = chooser.text
    secondary = chooser.secondary
    accent = chooser.accent(contrast: ColorChooser.textContrast)
    mark = chooser.accent(contrast: ColorChooser.markContrast)
    warning = chooser.warning
    error = chooser.error
    code = chooser.code
    placeholder = chooser.surface(share: 0.12)
    track = chooser.line
    blocks = BlockColors(chooser)
    dimsSecondary = depth == .none
    underlinesBold = chooser.boldMayBePale
  }

  /// The style of text of a role.
  public func style(for role: TextStyle.Role) -> Style {
    switch role {
    case .body: Style(foreground: text)
    case .secondary: Style(foreground: secondary, attributes: dimsSecondary ? .dim : [])
    // A quotation must be as readable as the text around it, and has its bar; dim text is hardly
    // readable.
    case .quote: Style(foreground: secondary)
    case .heading: emphasized(Style(foreground: text))
    case .link: Style(foreground: accent, attributes: .underline)
    case .tag: Style(foreground: accent)
    case .code: Style(foreground: code)
    case .warning: Style(foreground: warning)
    case .error: Style(foreground: error)
    }
  }

  /// The style of text of `style`: that of its role, with its traits.
  public func style(for style: TextStyle) -> Style {
    var result = self.style(for: style.role)
    if style.traits.contains(.bold) { result = emphasized(result) }
    if style.traits.contains(.italic) { result.attributes.insert(.italic) }
    // A link is underlined, whatever its role.
    if style.traits.contains(.underline) || style.link != nil {
      result.attributes.insert(.underline)
    }
    if style.traits.contains(.strikethrough) {
      result = Style(
        foreground: secondary,
        attributes: result.attributes.union(dimsSecondary ? .dim : []))
    }
    if style.traits.contains(.marked) {
      // Visible with every palette, but less so if the text is dim.
      result.attributes.insert(.reverse)
      result.attributes.remove(.dim)
    }
    return result
  }

  /// The same style in bold; underlined if bold text may be too pale to read.
  public func emphasized(_ style: Style) -> Style {
    var result = style
    result.attributes.insert(underlinesBold ? .underline : .bold)
    return result
  }

  /// Highlighted names and marks: bold, in the accent colour.
  public var emphasizedAccent: Style { emphasized(Style(foreground: accent)) }
  /// Marks: bars and blocks.
  public var markStyle: Style { Style(foreground: mark) }
  /// Lines between the parts of the screen, and around them.
  public var lineStyle: Style { Style(foreground: track) }

  /// The style of a coloured block that stands for something, and of text on it: the same for the
  /// same number, and another for most others.
  ///
  /// - Complexity: O(1).
  public func block(_ number: UInt64) -> Style { blocks.style(number) }

  /// The style of a block that stands for nothing in particular.
  public var quietBlock: Style { blocks.quiet }
}

/// The background for which the user wants a theme (`--theme`); the raw values are the option's
/// values.
public enum ThemeChoice: String, Hashable, Sendable, CaseIterable {
  /// The terminal's own.
  case auto
  /// A light one, whatever the terminal reports.
  case light
  /// A dark one, whatever the terminal reports.
  case dark
}

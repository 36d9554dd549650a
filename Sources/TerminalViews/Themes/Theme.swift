import Terminal
import TextLayout

/// The styles of each kind of text, and of the marks beside it: calm, with one accent colour and a
/// quieter colour for secondary text.
///
/// A view draws with the theme of its superview (``View/theme``), and the outermost view with that
/// of the application's window; colours are specified nowhere else.
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
  /// The background of a picture that is loading, and of the rest of a progress bar; no text is
  /// drawn on it.
  public var placeholder: Color
  /// Lines: the scroll bar's track, borders, the bars of quotations.
  public var track: Color
  /// The colours of blocks with text on them.
  let blocks: BlockColors
  private var further = FurtherColors()
  private var emphasis = Emphasis()

  private struct FurtherColors: Hashable {
    var title = Color.default
    var link = Color.default
    var panel = Color.default
  }

  /// Attributes that take the place of colours and of bold text.
  private struct Emphasis: Hashable {
    /// Whether secondary text is dim, because there are no colours.
    var dimsSecondary = false
    /// Whether text is underlined instead of bold, because bold text may be too pale.
    var underlinesBold = false
  }

  /// Titles of whole texts, such as posts.
  public var title: Color {
    get { further.title }
    set { further.title = newValue }
  }
  /// Links; the accent colour unless the user has named another.
  public var link: Color {
    get { further.link }
    set { further.link = newValue }
  }
  /// The background of panels; the terminal's own unless the user has named another.
  public var panel: Color {
    get { further.panel }
    set { further.panel = newValue }
  }

  /// The theme for a terminal of which nothing is known: for a dark background.
  public static let standard = Theme(.dark, for: TerminalColors(), depth: .trueColor)

  /// A theme whose colours are readable on a terminal: text with a contrast of 4.5 : 1 or more,
  /// marks and lines with 3 : 1, as far as the terminal reports its colours. Otherwise it has
  /// colours that are readable on all usual terminals.
  ///
  /// Colours of the terminal's palette that are not readable are moved towards black or white until
  /// they are.
  ///
  /// - Parameters:
  ///   - choice: the background; `auto` for the terminal's.
  ///   - colors: the colours that the terminal reports.
  ///   - depth: the number of colours that it can show.
  ///   - named: the user's colours, which are used whether or not they are readable; none by
  ///     default.
  /// - Complexity: O(1); several thousand comparisons of colours.
  public init(
    _ choice: ThemeChoice, for colors: TerminalColors, depth: ColorDepth,
    named: NamedColors = NamedColors()
  ) {
    let chooser = ColorChooser(choice, colors, depth)
    func own(_ name: NamedColors.Name) -> Color? { named[name].flatMap { chooser.shown($0) } }
    text = chooser.text
    secondary = own(.secondary) ?? chooser.secondary
    accent = own(.accent) ?? chooser.accent(contrast: ColorChooser.textContrast)
    mark = own(.mark) ?? own(.accent) ?? chooser.accent(contrast: ColorChooser.markContrast)
    warning = own(.warning) ?? chooser.warning
    error = chooser.error
    code = chooser.code
    placeholder = chooser.surface(share: 0.12)
    track = chooser.line
    blocks = BlockColors(chooser)
    further = FurtherColors(
      title: own(.title) ?? chooser.title, link: own(.link) ?? accent,
      panel: own(.panel) ?? .default)
    emphasis = Emphasis(
      dimsSecondary: depth == .none, underlinesBold: chooser.boldMayBePale)
  }

  /// The style of text that has this role.
  public func style(for role: TextStyle.Role) -> Style {
    switch role {
    case .body: Style(foreground: text)
    case .secondary: Style(foreground: secondary, attributes: emphasis.dimsSecondary ? .dim : [])
    // Never dim: a quotation must be as readable as the text around it, and its bar marks it.
    case .quote: Style(foreground: secondary)
    case .heading: emphasized(Style(foreground: text))
    case .title: emphasized(Style(foreground: title))
    case .link: Style(foreground: link, attributes: .underline)
    case .tag: Style(foreground: accent)
    case .code: Style(foreground: code)
    case .warning: Style(foreground: warning)
    case .error: Style(foreground: error)
    }
  }

  /// The terminal style of text: the style of its role, with its traits.
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
        attributes: result.attributes.union(emphasis.dimsSecondary ? .dim : []))
    }
    if style.traits.contains(.marked) {
      // Reverse is visible with every palette, but less so if the text is dim.
      result.attributes.insert(.reverse)
      result.attributes.remove(.dim)
    }
    return result
  }

  /// The same style in bold; underlined if bold text may be too pale to read.
  public func emphasized(_ style: Style) -> Style {
    var result = style
    result.attributes.insert(emphasis.underlinesBold ? .underline : .bold)
    return result
  }

  /// Highlighted names and marks: bold, in the accent colour.
  public var emphasizedAccent: Style { emphasized(Style(foreground: accent)) }
  /// Marks: bars and blocks.
  public var markStyle: Style { Style(foreground: mark) }
  /// Lines between the parts of the screen, and around them.
  public var lineStyle: Style { Style(foreground: track) }

  /// The style of a coloured block that identifies something by a number, and of the text on it:
  /// equal numbers have equal styles, and most different numbers have different ones.
  ///
  /// - Complexity: O(1).
  public func block(_ number: UInt64) -> Style { blocks.style(number) }

  /// The style of a block that identifies nothing.
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

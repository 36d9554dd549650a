import Terminal
import TextLayout

/// How each kind of text looks, and what stands beside it: calm, one accent colour, a quieter
/// colour for what is secondary.
///
/// Views draw with the theme of the view around them (``View/theme``), that of the application's
/// window in the end; no other place names a colour.
public struct Theme: Hashable, Sendable {
  /// Text; the terminal's own unless that cannot be read.
  public var text: Color
  /// Text beside the point: handles, times, captions, hints.
  public var secondary: Color
  /// Links, tags, and what is pointed out.
  public var accent: Color
  /// The selection's bar and the scroll bar's thumb.
  public var mark: Color
  /// Text that warns.
  public var warning: Color
  /// Text about something that failed.
  public var error: Color
  /// Code in a text.
  public var code: Color
  /// Behind a picture that is not there yet, and behind the rest of a bar; nothing is to be read
  /// there.
  public var placeholder: Color
  /// Lines: the scroll bar's track, borders, the bars of quotations.
  public var track: Color
  /// Makes blocks of colour with text on them.
  let blocks: BlockColors
  /// Whether secondary text has the attribute for it, as where there are no colours.
  private var dimsSecondary = false
  /// Whether what is bold elsewhere is underlined, as where bold text may come out too pale.
  private var underlinesBold = false

  /// Where nothing is known of a terminal: for one with a dark background.
  public static let standard = Theme(.dark, for: TerminalColors(), depth: .trueColor)

  /// A theme whose colours are readable on a terminal: text at 4.5 : 1 or more, marks and lines at
  /// 3 : 1, as far as the terminal tells its colours. Where it does not, colours are taken that are
  /// readable on all usual ones.
  ///
  /// The user's own colours are taken as they are where they are readable, and made so elsewhere.
  ///
  /// - Parameters:
  ///   - choice: for which background; `auto` for the terminal's.
  ///   - colors: what the terminal tells of itself.
  ///   - depth: the colours it shows.
  /// - Complexity: O(1); about 1,500 comparisons of colours where there are 256.
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
    underlinesBold = chooser.boldMayFade
  }

  /// The looks of text that stands for `role`.
  public func style(for role: TextStyle.Role) -> Style {
    switch role {
    case .body: Style(foreground: text)
    case .secondary: Style(foreground: secondary, attributes: dimsSecondary ? .dim : [])
    // A quotation is to be read as well as what is around it, and has its bar; dim text hardly can
    // be.
    case .quote: Style(foreground: secondary)
    case .heading: emphasized(Style(foreground: text))
    case .link: Style(foreground: accent, attributes: .underline)
    case .tag: Style(foreground: accent)
    case .code: Style(foreground: code)
    case .warning: Style(foreground: warning)
    case .error: Style(foreground: error)
    }
  }

  /// The looks of text of `style`: its role's and its emphasis.
  public func style(for style: TextStyle) -> Style {
    var result = self.style(for: style.role)
    if style.traits.contains(.bold) { result = emphasized(result) }
    if style.traits.contains(.italic) { result.attributes.insert(.italic) }
    // What leads somewhere is seen to, whatever else it is.
    if style.traits.contains(.underline) || style.link != nil {
      result.attributes.insert(.underline)
    }
    if style.traits.contains(.strikethrough) {
      result = Style(
        foreground: secondary,
        attributes: result.attributes.union(dimsSecondary ? .dim : []))
    }
    if style.traits.contains(.marked) {
      // Seen on every palette, also where the text is dim.
      result.attributes.insert(.reverse)
      result.attributes.remove(.dim)
    }
    return result
  }

  /// The same style, bold; underlined where bold text may be too pale to be read.
  public func emphasized(_ style: Style) -> Style {
    var result = style
    result.attributes.insert(underlinesBold ? .underline : .bold)
    return result
  }

  /// Names and marks that are pointed out: bold, in the accent colour.
  public var pointedOut: Style { emphasized(Style(foreground: accent)) }
  /// Marks: bars and blocks.
  public var markStyle: Style { Style(foreground: mark) }
  /// Lines between what is shown, and around it.
  public var lineStyle: Style { Style(foreground: track) }

  /// The looks of a block of colour that stands for something, and of text on it: the same for the
  /// same number, and others for most others.
  ///
  /// - Complexity: O(1).
  public func block(_ number: UInt64) -> Style { blocks.style(number) }

  /// A block that stands for nothing in particular.
  public var quietBlock: Style { blocks.quiet }
}

/// For which background the user wants a theme; the raw values are what `--theme` takes.
public enum ThemeChoice: String, Hashable, Sendable, CaseIterable {
  /// For the terminal's own.
  case auto
  /// For a light one, whatever the terminal says.
  case light
  /// For a dark one.
  case dark
}

import Terminal

/// Colours that the user has chosen by name; the others are derived from the terminal's.
public struct NamedColors: Hashable, Sendable {
  /// The names by which a configuration gives colours.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// Tags, highlighted names and the source in the status line; also marks and links, unless
    /// these are named themselves.
    case accent
    /// Times, captions and hints.
    case secondary
    /// Titles of posts.
    case title
    /// Links.
    case link
    /// The bar of the selection and the scroll bar.
    case mark
    /// Text that warns.
    case warning
    /// The background of panels.
    case panel
  }

  private var colors: [Name: RGB] = [:]

  /// No colours.
  public init() {}

  /// The colour of a name; `nil` if none was chosen.
  public subscript(name: Name) -> RGB? {
    get { colors[name] }
    set { colors[name] = newValue }
  }

  /// A contrast that is lower than readers need.
  public struct LowContrast: Hashable, Sendable {
    /// The colour in question.
    public var name: Name
    /// Its ratio to the background, or as a background to text.
    public var contrast: Double
    /// The least ratio that is readable.
    public var minimum: Double
  }

  /// The colours that are hard to read on a terminal, in the order of their names' declaration.
  ///
  /// - Parameters:
  ///   - choice: the background; `auto` for the terminal's.
  ///   - colors: the colours that the terminal reports; without them, usual ones are assumed.
  public func lowContrasts(_ choice: ThemeChoice, on colors: TerminalColors) -> [LowContrast] {
    let chooser = ColorChooser(choice, colors, .trueColor)
    return Name.allCases.compactMap { name in
      guard let color = self[name] else { return nil }
      let other = name == .panel ? chooser.foreground : chooser.background
      let contrast = color.contrast(with: other)
      let minimum = name == .mark ? ColorChooser.markContrast : ColorChooser.textContrast
      return contrast < minimum
        ? LowContrast(name: name, contrast: contrast, minimum: minimum) : nil
    }
  }
}

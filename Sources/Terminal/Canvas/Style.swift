/// The colours and attributes of a cell.
public struct Style: Hashable, Sendable {
  /// Text attributes other than colour.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Heavier, on some terminals brighter.
    public static let bold = Attributes(rawValue: 1)
    /// Fainter.
    public static let dim = Attributes(rawValue: 2)
    /// Slanted.
    public static let italic = Attributes(rawValue: 4)
    /// With a line below.
    public static let underline = Attributes(rawValue: 8)
    /// Foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 16)
  }

  /// The colour of the character.
  public var foreground: Color
  /// The colour behind the character.
  public var background: Color
  /// The attributes.
  public var attributes: Attributes

  /// The terminal's own colours, no attributes.
  public static let plain = Style()

  /// A style that is plain except for the given values.
  public init(
    foreground: Color = .default, background: Color = .default, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

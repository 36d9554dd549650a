/// The meaning that the source gives to a run of text; views decide how it looks.
public struct TextStyle: Hashable, Sendable {
  /// The role of a text.
  public enum Role: UInt8, Hashable, Sendable {
    /// Text, asides, headings in a text, links, tags, code, quotations, warnings and errors.
    case body, secondary, heading, link, tag, code, quote, warning, error
    /// The title of a whole text, such as a post's.
    case title
  }

  /// The emphasis that the source gives.
  public struct Traits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Strong.
    public static let bold = Traits(rawValue: 1)
    /// Emphasised.
    public static let italic = Traits(rawValue: 2)
    /// Underlined by its source.
    public static let underline = Traits(rawValue: 4)
    /// Struck out.
    public static let strikethrough = Traits(rawValue: 8)
    /// Found by a search; no source sets this.
    public static let marked = Traits(rawValue: 16)
  }

  /// The role of the text.
  public var role: Role
  /// The emphasis that the source gives.
  public var traits: Traits
  /// An index into `StyledText.links`; `nil` if the text is not a link.
  public var link: Int?

  /// Plain text.
  public static let body = TextStyle()

  /// A plain style with the given differences.
  public init(role: Role = .body, traits: Traits = [], link: Int? = nil) {
    self.role = role
    self.traits = traits
    self.link = link
  }
}

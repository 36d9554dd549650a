/// What a run of text is, as its source says it: views decide how it looks.
public struct TextStyle: Hashable, Sendable {
  /// What the text stands for.
  public enum Role: UInt8, Hashable, Sendable {
    /// Text, asides, titles, links, tags, code, quotations, warnings and errors.
    case body, secondary, heading, link, tag, code, quote, warning, error
  }

  /// How its source emphasises it.
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
    /// Found by a search; no source says so.
    public static let marked = Traits(rawValue: 16)
  }

  /// What it stands for.
  public var role: Role
  /// How its source emphasises it.
  public var traits: Traits
  /// Index into `StyledText.links`; nil where the text leads nowhere.
  public var link: Int?

  /// Plain text.
  public static let body = TextStyle()

  /// A style that is plain but for what is given.
  public init(role: Role = .body, traits: Traits = [], link: Int? = nil) {
    self.role = role
    self.traits = traits
    self.link = link
  }
}

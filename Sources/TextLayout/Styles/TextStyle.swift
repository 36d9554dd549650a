/// What a run of text is, as its source says it: views decide how it looks.
public struct TextStyle: Hashable, Sendable {
  /// What the text stands for.
  public enum Role: UInt8, Hashable, Sendable {
    case body, secondary, heading, link, tag, code, quote, warning, error
  }

  /// How its source emphasises it.
  public struct Traits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Traits(rawValue: 1)
    public static let italic = Traits(rawValue: 2)
    public static let underline = Traits(rawValue: 4)
    public static let strikethrough = Traits(rawValue: 8)
  }

  public var role: Role
  public var traits: Traits
  /// Index into `StyledText.links`; nil where the text leads nowhere.
  public var link: Int?

  public static let body = TextStyle()

  public init(role: Role = .body, traits: Traits = [], link: Int? = nil) {
    self.role = role
    self.traits = traits
    self.link = link
  }
}

/// Bounds on the amount that is read, so that no input can exhaust memory or hang the reader.
public enum FeedLimits {
  /// Bytes of one item: a line of JSON Lines, an element of `items`, the text of one `<item>`, a
  /// line of plain text. A longer item becomes a marked post that holds its beginning. `4 MiB`.
  public static let itemBytes = 4 << 20
  /// Bytes kept of an item that is too long or cannot be decoded. `64 KiB`.
  public static let beginningBytes = 64 << 10
  /// Bytes of a document that is read whole. `1 GiB`.
  public static let documentBytes = 1 << 30
  /// Lines of plain text without a blank line between them that form one row; the next line begins
  /// another.
  public static let paragraphLines = 100
  /// Elements of one XML item, of a feed's head or of a text in HTML.
  static let itemElements = 50_000
  /// Values of one item of JSON.
  static let itemValues = 250_000
  /// Paragraphs of a text in HTML, outside of tables; each takes some kilobytes when shown.
  static let paragraphs = 20_000
  /// Lines of a text without markup.
  static let textLines = 40_000
  /// Attributes of one XML element.
  static let tagAttributes = 128
  /// HTML elements open at the same time.
  static let openElements = 1_000
  /// Depth to which posts within posts of networks are read; of deeper posts only the address is
  /// read.
  static let nestedPosts = 4
  /// Distinct ids of a source that are remembered to number repeated ones.
  static let knownIDs = 200_000
  /// Bytes that decide the format of a source.
  public static let detectionBytes = 64 << 10
}

import TextLayout

/// An upper bound of a row's content, computed from its bytes without making a post: ten times as
/// fast as reading it, for rows of which only the bound matters.
///
/// Rules:
/// 1. It is never less than the content. If the bytes leave doubt, there is no bound: HTML,
///    unexpected fields and types, damage.
/// 2. A byte of text takes at most one column, since no code point of n bytes takes more than n. A
///    tab takes eight; a possible line break counts as a break.
public struct RowSizeBound: Hashable, Sendable {
  /// Upper bounds of one of a row's texts.
  public struct Text: Hashable, Sendable {
    /// Columns of all its characters.
    public var columns = 0
    /// Line breaks, including those between paragraphs.
    public var breaks = 0

    /// Creates a text of that many columns and breaks.
    public init(columns: Int = 0, breaks: Int = 0) {
      self.columns = columns
      self.breaks = breaks
    }

    /// The maximum number of lines when wrapped to `width` columns; `width` is at least 2.
    ///
    /// Of two consecutive lines, the first ends because the beginning of the second does not fit on
    /// it: together they have at least `width - 1` columns.
    public func lines(width: Int) -> Int {
      columns == 0 && breaks == 0 ? 0 : 1 + breaks + 2 * columns / max(1, width - 1)
    }
  }

  /// The title.
  public var title = Text()
  /// The text.
  public var body = Text()
  /// All tags, in one line.
  public var tags = Text()
  /// Addresses of pictures whose size the source does not declare.
  public var pictures: [String] = []
  /// A line that reports which parts of the row could not be read.
  public var damage = Text()

  /// Creates the bound of an empty row.
  public init() {}

  /// Longest row that has a bound, in bytes; longer rows exceed the height of any screen.
  public static let longest = 16 << 10
  /// Columns of "⚠ bytes that are not UTF-8 were replaced; bytes that are not text were left out".
  static let damageColumns = 80

  /// The bound of a row of `.jsonl` or `.text`; `nil` if it is uncertain, and for other formats.
  ///
  /// - Complexity: O(n) in the bytes.
  public init?(ofRow bytes: UnsafeRawBufferPointer, format: FeedFormat) {
    let bytes = bytes.bindMemory(to: UInt8.self)
    guard bytes.count <= Self.longest, !bytes.isEmpty else { return nil }
    switch format {
    case .text: body = Self.plain(bytes)
    case .jsonl:
      guard let bound = RowSizeBoundReader.bound(of: bytes) else { return nil }
      self = bound
    default: return nil
    }
    damage.columns = Self.damageColumns
  }

  private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> Text {
    var text = Text()
    for index in bytes.indices { text.note(index, of: bytes) }
    return text
  }
}

extension RowSizeBound.Text {
  /// Adds the maximum that a byte may stand for.
  @inline(__always)
  mutating func note(_ index: Int, of bytes: UnsafeBufferPointer<UInt8>) {
    let byte = bytes[index]
    columns += 1
    if byte < 0x20 {
      breaks += 1
      columns += Sanitizer.tabWidth - 1
    } else if byte == 0xC2 || byte == 0xE2 {
      // U+0085, U+2028 and U+2029 break lines; characters with the same first bytes count, too.
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if next == (byte == 0xC2 ? 0x85 : 0x80) { breaks += 1 }
    }
  }
}

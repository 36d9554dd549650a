import TextLayout

/// The most a row can hold, told from its bytes without making a post of it: ten times as fast as
/// reading it, for rows of which only that matters.
///
/// Rules:
/// 1. It never says less than there is. What is not certain by a look at the bytes gives none:
///    HTML, fields and types that are not expected, damage.
/// 2. A byte of text takes at most one column, as no code point of n bytes takes more than n. A tab
///    takes eight; what may be a line break counts as one.
public struct RowExtent: Hashable, Sendable {
  /// What one of a row's texts takes at most.
  public struct Text: Hashable, Sendable {
    /// Columns of all its characters.
    public var columns = 0
    /// Line breaks in it, those between paragraphs included.
    public var breaks = 0

    /// A text of so many columns and breaks.
    public init(columns: Int = 0, breaks: Int = 0) {
      self.columns = columns
      self.breaks = breaks
    }

    /// The lines it takes at most when wrapped to `width` columns, at least 2.
    ///
    /// Of two lines in a row the first is ended because the beginning of the second does not fit on
    /// it: together they have at least `width - 1` columns.
    public func lines(width: Int) -> Int {
      columns == 0 && breaks == 0 ? 0 : 1 + breaks + 2 * columns / max(1, width - 1)
    }
  }

  /// The title.
  public var title = Text()
  /// The text.
  public var body = Text()
  /// All of them in one line.
  public var tags = Text()
  /// Addresses of pictures, of which the source declares no size.
  public var pictures: [String] = []
  /// A line that says what of the row could not be read.
  public var damage = Text()

  /// A row that holds nothing.
  public init() {}

  /// Longer rows are higher than any screen.
  public static let longest = 16 << 10
  /// "⚠ bytes that are not UTF-8 were replaced; bytes that are not text were left out".
  static let damageColumns = 80

  /// The extent of a row of `.jsonl` or `.text`; nil where it is not certain, and for other
  /// formats.
  ///
  /// - Complexity: O(n) in the bytes.
  public init?(ofRow bytes: UnsafeRawBufferPointer, format: FeedFormat) {
    let bytes = bytes.bindMemory(to: UInt8.self)
    guard bytes.count <= Self.longest, !bytes.isEmpty else { return nil }
    switch format {
    case .text: body = Self.plain(bytes)
    case .jsonl:
      guard let extent = RowExtentReader.extent(of: bytes) else { return nil }
      self = extent
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

extension RowExtent.Text {
  /// Counts what a byte may stand for at most.
  @inline(__always)
  mutating func note(_ index: Int, of bytes: UnsafeBufferPointer<UInt8>) {
    let byte = bytes[index]
    columns += 1
    if byte < 0x20 {
      breaks += 1
      columns += Sanitizer.tabWidth - 1
    } else if byte == 0xC2 || byte == 0xE2 {
      // U+0085, U+2028 and U+2029 break lines; their kin beside them counts along.
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if next == (byte == 0xC2 ? 0x85 : 0x80) { breaks += 1 }
    }
  }
}

import Geometry
import System

/// A `StyledText` wrapped to a width: its lines, their contents, and the places of characters.
///
/// A place is a position that does not depend on the width, so that a reader's place survives a
/// resize. Places are numbered through the whole text: each paragraph has one for each of its empty
/// rows, one for each UTF-8 byte, and one for its end. No two lines begin with the same place, and
/// later lines begin with later ones.
public struct TextFrame: Sendable {
  /// One row of the frame.
  public struct Line: Hashable, Sendable {
    /// Index of its paragraph.
    public internal(set) var paragraph: Int
    /// UTF-8 offsets of the part of the paragraph's string that is shown, without the line break
    /// and spaces that hang over the end. Empty on an empty row.
    public internal(set) var range = 0..<0
    /// Columns before the text, including quotation bars and marker.
    public internal(set) var indent: Int
    /// The list marker, right-aligned at the end of the indent; empty except on a paragraph's first
    /// line.
    public internal(set) var marker = ""
    /// The number of quotation bars at the left, two columns each.
    public internal(set) var quoteDepth: Int
    /// Columns of the text after the indent, including hyphen or ellipsis.
    public internal(set) var width = 0
    /// The end of the line, after the text: `""`, `"-"` at a broken soft hyphen, `"↵"` if a
    /// preformatted line continues, or `"…"`; for a horizontal rule the whole line.
    public internal(set) var ending = ""
    /// The place at which the line begins.
    public internal(set) var firstCharacter: Int
    /// Whether it is an empty row before its paragraph.
    public internal(set) var isSpacing = false
    /// The parts of cells on a line of a table; empty on all other lines.
    var cells: [Cell] = []

    /// Whether the text goes on but is not shown.
    public var isTruncated: Bool { ending == "…" }
  }

  /// The part of a table's cell on one line.
  struct Cell: Hashable, Sendable {
    /// UTF-8 offsets in the paragraph's string.
    var range: Range<Int>
    /// The first column of its text, counted from the end of the indent.
    var column: Int
    /// The columns of its text, including a hyphen.
    var width: Int
    /// The name of its table's column, shown before the text.
    var label = ""
    var endsInHyphen = false

    /// A cell without text on the line.
    init(at column: Int, label: String = "") {
      (range, width) = (0..<0, 0)
      self.column = column
      self.label = label
    }

    init(_ span: LineWrapper.Span, column: Int, label: String = "") {
      (range, width, endsInHyphen) = (span.range, span.width, span.endsInHyphen)
      self.column = column
      self.label = label
    }
  }

  /// A part of a line with one style, ready to be drawn.
  public struct Fragment: Hashable, Sendable {
    /// Its characters.
    public var text: Substring
    /// Its style.
    public var style: TextStyle
  }

  /// The text that was wrapped.
  public let text: StyledText
  /// The width it was wrapped to, in columns; at least 1.
  public let width: Int
  /// The metrics by which columns were counted.
  public let metrics: TextMetrics
  /// The lines from the top.
  public private(set) var lines: [Line]

  /// Wraps `text`.
  ///
  /// Indents and quotation bars shrink if fewer than ten columns would be left for the text.
  ///
  /// - Parameters:
  ///   - width: columns; less than 1 counts as 1.
  ///   - maximumLines: the maximum number of rows, the last one ending in "…" if anything is left
  ///     out; `nil` or less than 1 for all.
  /// - Complexity: O(n) in the UTF-8 bytes shown.
  public init(
    _ text: StyledText, width: Int, maximumLines: Int? = nil, metrics: TextMetrics = .current
  ) {
    self.text = text
    self.width = max(1, width)
    self.metrics = metrics
    let limit = maximumLines.flatMap { $0 > 0 ? $0 : nil }
    var builder = TextFrameBuilder(width: self.width, limit: limit)
    builder.add(text)
    self.lines = builder.lines
  }

  /// The number of rows, and the columns of the widest one, including its indent.
  ///
  /// - Complexity: O(lines).
  public var size: Size {
    Size(width: lines.reduce(0) { max($0, $1.indent + $1.width) }, height: lines.count)
  }

  /// The place at which a line begins. `line` is clamped to the lines; 0 if there are none.
  public func firstCharacter(ofLine line: Int) -> Int {
    lines.isEmpty ? 0 : lines[min(max(line, 0), lines.count - 1)].firstCharacter
  }

  /// The lines of a paragraph, including the empty rows before it.
  ///
  /// - Complexity: O(log n) in lines.
  public func lines(ofParagraph paragraph: Int) -> Range<Int> {
    let first = lines.partitionPoint { $0.paragraph < paragraph }
    return first..<max(first, lines.partitionPoint { $0.paragraph <= paragraph })
  }

  /// The line that contains a place: the last one that begins at or before it; 0 if there is none.
  ///
  /// - Complexity: O(log n) in lines.
  public func line(containing character: Int) -> Int {
    max(0, lines.partitionPoint { $0.firstCharacter <= character } - 1)
  }

  /// Whether a search has marked anything on a line.
  ///
  /// - Complexity: O(runs of its paragraph)
  package func isMarked(line index: Int) -> Bool {
    let line = lines[index]
    let ranges = line.cells.isEmpty ? [line.range] : line.cells.map(\.range)
    return text.paragraphs[line.paragraph].runs.contains { run in
      run.style.traits.contains(.marked)
        && ranges.contains { !run.range.clamped(to: $0).isEmpty }
    }
  }
}

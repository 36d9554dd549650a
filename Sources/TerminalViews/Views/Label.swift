import ConstraintLayout
import Geometry
import Terminal
import TextLayout

/// Text on one or more lines.
///
/// A label of one line has the intrinsic width of its text. A label of several lines takes the
/// width it is given, unless it hugs its text, and has the height that its text needs at that
/// width.
@MainActor public final class Label: View {
  /// The text.
  public var text = StyledText() {
    didSet { if text != oldValue { contentSizeChanged() } }
  }

  /// The most lines; 0 for as many as the text needs. Text that does not fit ends in `…`.
  public var numberOfLines: Int {
    didSet { if numberOfLines != oldValue { contentSizeChanged() } }
  }

  /// Colours and attributes of text that has none of its own; the background fills the whole frame.
  public var style = Style.plain {
    didSet { if style != oldValue { setNeedsDisplay() } }
  }

  /// The position of lines in the frame.
  public var alignment = Alignment.left {
    didSet { if alignment != oldValue { setNeedsDisplay() } }
  }

  /// The position of lines that are shorter than the frame is wide.
  public enum Alignment: Hashable, Sendable {
    /// At the left edge, or at the right edge for right-to-left text that is reordered here; in the
    /// middle; at the right edge.
    case left, center, right
  }

  /// Whether a label of several lines is no wider than its longest paragraph, like a speech bubble;
  /// false by default.
  public var hugsText = false {
    didSet { if hugsText != oldValue { contentSizeChanged() } }
  }

  /// The words to mark wherever they occur in the text, such as those searched for; `nil`, the
  /// default, for none.
  public var marks: TextNeedle? {
    didSet {
      guard marks != oldValue else { return }
      cached = nil
      setNeedsDisplay()
    }
  }

  private var cached: (width: Int, frame: TextFrame)?
  private var naturalWidth: Int?
  /// The numbers of the text's links, from its first drawing until it changes.
  private var links: LinkGroup?

  /// A label without text.
  ///
  /// - Parameter numberOfLines: the most lines; 0 for as many as the text needs.
  public init(name: String = "", numberOfLines: Int = 0) {
    self.numberOfLines = numberOfLines
    super.init(name: name)
  }

  private func contentSizeChanged() {
    cached = nil
    naturalWidth = nil
    links = nil
    invalidateIntrinsicContentSize()
    setNeedsLayout()
  }

  /// The text wrapped to `width` columns; cached until text, marks, width or limit change.
  ///
  /// - Complexity: O(n) in the bytes shown, O(1) if it is cached.
  public func textFrame(width: Int) -> TextFrame {
    if let cached, cached.width == width { return cached.frame }
    let frame = TextFrame(
      markedText, width: width, maximumLines: numberOfLines == 0 ? nil : numberOfLines)
    cached = (width, frame)
    return frame
  }

  private var markedText: StyledText {
    guard let marks else { return text }
    var matcher = TextMatcher()
    return text.marking(marks, with: &matcher)
  }

  override public var intrinsicContentSize: IntrinsicSize {
    guard numberOfLines == 1 || hugsText else { return IntrinsicSize(width: nil, height: nil) }
    if text.isEmpty { return IntrinsicSize(width: 0, height: 0) }
    let width = naturalWidth ?? text.paragraphs.reduce(0) { max($0, naturalWidthOf($1)) }
    naturalWidth = width
    return IntrinsicSize(width: Double(width), height: numberOfLines == 1 ? 1 : nil)
  }

  private func naturalWidthOf(_ paragraph: StyledText.Paragraph) -> Int {
    let lines =
      numberOfLines == 1
      ? [Substring(paragraph.string)]
      // A rule takes the width of the rest of the text, however narrow that is.
      : paragraph.isRule
        ? [] : paragraph.string.split(separator: "\n", omittingEmptySubsequences: false)
    return paragraph.style.indent + paragraph.style.quoteDepth * 2
      + lines.reduce(0) { max($0, TextMetrics.current.width(of: $1)) }
  }

  override public func intrinsicHeight(forWidth width: Int) -> Int? {
    guard numberOfLines != 1 else { return nil }
    if text.isEmpty { return 0 }
    return textFrame(width: max(1, width)).lines.count
  }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    if style.background != .default {
      canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell(" ", style: style))
    }
    guard !text.isEmpty, frame.width > 0 else { return }
    let width = frame.width
    if links == nil, !text.links.isEmpty { links = LinkGroup(text.links) }
    let lines = 0..<frame.height
    guard alignment != .left else {
      return TextDrawing.draw(
        textFrame(width: width), in: &canvas, at: origin, lines: lines, theme: theme,
        style: style, links: links)
    }
    TextDrawing.draw(
      textFrame(width: width), in: &canvas, at: origin, lines: lines, theme: theme,
      style: style, links: links
    ) { [alignment] columns in
      let rest = max(0, width - columns)
      return alignment == .center ? rest / 2 : rest
    }
  }
}

extension Label: PlaceProviding {
  public func offset(atLine line: Int) -> Int {
    textFrame(width: max(1, frame.width)).firstCharacter(ofLine: line)
  }

  public func line(ofOffset offset: Int) -> Int {
    textFrame(width: max(1, frame.width)).line(containing: offset)
  }

  public func words(atOffset offset: Int) -> String {
    textFrame(width: max(1, frame.width)).words(at: offset)
  }

  public func offset(ofWords words: String, near offset: Int) -> Int? {
    textFrame(width: max(1, frame.width)).character(ofWords: words, near: offset)
  }
}

import ConstraintLayout
import Geometry
import Terminal
import TextLayout

/// Text on one or more lines.
///
/// A label of one line has an intrinsic width, its text's; one of several takes the width it is given and
/// has the height its text then needs.
@MainActor public final class Label: View {
  /// What is shown.
  public var text = StyledText() {
    didSet {
      guard text != oldValue else { return }
      cached = nil
      naturalWidth = nil
      invalidateIntrinsicContentSize()
      setNeedsLayout()
    }
  }

  /// How many lines there may be; 0 for as many as the text needs. What does not fit ends in `…`.
  public var numberOfLines: Int {
    didSet {
      guard numberOfLines != oldValue else { return }
      cached = nil
      invalidateIntrinsicContentSize()
      setNeedsLayout()
    }
  }

  /// How each kind of text looks.
  public var theme: Theme {
    didSet { setNeedsDisplay() }
  }

  private var cached: (width: Int, frame: TextFrame)?
  private var naturalWidth: Int?

  public init(name: String = "", numberOfLines: Int = 0, theme: Theme = .standard) {
    self.numberOfLines = numberOfLines
    self.theme = theme
    super.init(name: name)
  }

  /// The text wrapped to `width` columns; kept until text, width or limit change.
  public func textFrame(width: Int) -> TextFrame {
    if let cached, cached.width == width { return cached.frame }
    let frame = TextFrame(
      text, width: width, maximumLines: numberOfLines == 0 ? nil : numberOfLines)
    cached = (width, frame)
    return frame
  }

  override public var intrinsicContentSize: IntrinsicSize {
    guard numberOfLines == 1 else { return IntrinsicSize(width: nil, height: nil) }
    if text.isEmpty { return IntrinsicSize(width: 0, height: 0) }
    let width = naturalWidth ?? text.paragraphs.reduce(0) { max($0, naturalWidthOf($1)) }
    naturalWidth = width
    return IntrinsicSize(width: Double(width), height: 1)
  }

  private func naturalWidthOf(_ paragraph: StyledText.Paragraph) -> Int {
    paragraph.style.indent + paragraph.style.quoteDepth * 2
      + TextMetrics.current.width(of: paragraph.string)
  }

  override public func intrinsicHeight(forWidth width: Int) -> Int? {
    guard numberOfLines != 1 else { return nil }
    if text.isEmpty { return 0 }
    return textFrame(width: max(1, width)).lines.count
  }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    guard !text.isEmpty, frame.width > 0 else { return }
    TextDrawing.draw(
      textFrame(width: frame.width), in: &canvas, at: origin, lines: 0..<frame.height,
      theme: theme)
  }
}

extension Label: PlaceProviding {
  public func offset(atLine line: Int) -> Int {
    textFrame(width: max(1, frame.width)).firstCharacter(ofLine: line)
  }

  public func line(ofOffset offset: Int) -> Int {
    textFrame(width: max(1, frame.width)).line(containing: offset)
  }
}

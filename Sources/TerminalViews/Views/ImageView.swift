import ConstraintLayout
import Geometry
import Pixels
import Terminal
import TextLayout

/// A picture as cells, or a placeholder while there is none.
///
/// It shows cells that were rendered elsewhere, off the main actor: it never scales anything
/// itself, so that drawing it is a copy. Cells of another size than its frame's are clipped, not
/// stretched.
///
/// Its intrinsic size follows ``pixelSize``: the picture's natural width, within ``maximumSize``,
/// and the height that its proportions require at the width of the layout.
@MainActor public final class ImageView: View {
  /// The content while there are no cells.
  public enum Placeholder: Hashable, Sendable {
    /// Nothing: no picture will come.
    case none
    /// A quiet area: the picture is loading.
    case loading
    /// The picture will not come: nothing, and no height, or with ``keepsSizeOnFailure`` a dim line
    /// in its place.
    case failed
  }

  /// A few characters on a coloured block, in the place of a picture that does not exist.
  public struct Badge: Hashable, Sendable {
    /// The characters; truncated if the view is too narrow.
    public let text: String
    /// Selects the block's colour (``Theme/block(_:)``).
    public let number: UInt64

    /// A block with `text` on it, which is sanitized.
    public init(text: String, number: UInt64) {
      self.text = Sanitizer.line(text)
      self.number = number
    }
  }

  /// Pixels of a picture in its natural size for each column.
  public static let pixelsPerColumn = 8

  /// The picture, rendered for the view's frame; release it when it is no longer shown.
  public var image: Picture? {
    didSet { setNeedsDisplay() }
  }

  /// Shown while the picture is loading, rendered for the view's frame; nothing by default.
  public var preview: Picture? {
    didSet { setNeedsDisplay() }
  }

  /// The content while there are no cells; nothing by default.
  public var placeholder = Placeholder.none {
    didSet { if placeholder != oldValue { invalidateSize() } }
  }

  /// Shown in a view of fixed size while it has no picture, except while one is loading for the
  /// first time. `nil` by default: nothing is shown.
  public var badge: Badge? {
    didSet { if badge != oldValue { setNeedsDisplay() } }
  }

  /// Whether loading the picture has failed before, so that it may take long. False by default.
  package var isBeingRetried = false {
    didSet { if isBeingRetried != oldValue { setNeedsDisplay() } }
  }

  /// Whether the view keeps the size required by ``pixelSize`` if the picture will not come. False
  /// by default.
  public var keepsSizeOnFailure = false {
    didSet { if keepsSizeOnFailure != oldValue { invalidateSize() } }
  }

  /// Why the picture will not come, for the line in its place, or why it is incomplete, for a line
  /// over its last row; empty by default.
  public var failure = "" {
    didSet { if failure != oldValue { setNeedsDisplay() } }
  }

  /// The picture's size in pixels; `nil` while it is unknown.
  public var pixelSize: PixelSize? {
    didSet {
      guard pixelSize != oldValue else { return }
      isLaidOut = false
      invalidateSize()
    }
  }

  /// Whether layout has set the frame since the picture's size became known.
  package var isLaidOut = true

  /// The largest size, in columns and rows; a picture that is higher becomes narrower.
  public var maximumSize = Size(width: 96, height: 30) {
    didSet { if maximumSize != oldValue { invalidateSize() } }
  }

  /// The height in rows while the picture is loading and its size is unknown.
  public var reservedHeight = 4

  /// Whether the view's size follows the picture; false if constraints fix it.
  public let followsPicture: Bool

  /// The picture's loader, which lives as long as the view.
  package var loader: AnyObject?
  /// Called when layout has given the view another frame, or the same frame for another picture.
  package var onResize: (() -> Void)?

  override public var frame: Rect {
    didSet {
      guard frame.size != oldValue.size || !isLaidOut else { return }
      isLaidOut = true
      onResize?()
    }
  }

  /// A view without a picture.
  ///
  /// - Parameter followsPicture: whether its size follows the picture.
  public init(name: String = "", followsPicture: Bool = true) {
    self.followsPicture = followsPicture
    super.init(name: name)
  }

  private func invalidateSize() {
    if followsPicture {
      invalidateIntrinsicContentSize()
      setNeedsLayout()
    } else {
      setNeedsDisplay()
    }
  }

  /// The picture's proportions in cells: rows for each column.
  private func rowsPerColumn(_ size: PixelSize) -> Double {
    Double(max(1, size.height)) / Double(max(1, size.width)) * LayoutMetrics.cellAspect
  }

  override public var intrinsicContentSize: IntrinsicSize {
    guard followsPicture else { return IntrinsicSize(width: nil, height: nil) }
    guard let pixelSize else {
      let width = placeholder == .loading ? maximumSize.width : 0
      return IntrinsicSize(width: Double(width), height: nil)
    }
    let width = isFailureInPlace ? maximumSize.width : naturalWidth(of: pixelSize)
    return IntrinsicSize(width: Double(width), height: nil)
  }

  private func naturalWidth(of pixelSize: PixelSize) -> Int {
    let natural = max(1, (pixelSize.width + Self.pixelsPerColumn - 1) / Self.pixelsPerColumn)
    let byHeight = Double(maximumSize.height) / rowsPerColumn(pixelSize)
    return min(natural, maximumSize.width, max(1, Int(byHeight.rounded(.down))))
  }

  /// Whether a reason is shown in place of a picture: it may be wider than the picture, but has the
  /// same height.
  private var isFailureInPlace: Bool {
    placeholder == .failed && keepsSizeOnFailure && pixelSize != nil
  }

  override public func intrinsicHeight(forWidth width: Int) -> Int? {
    guard followsPicture else { return nil }
    guard placeholder != .failed || isFailureInPlace else { return 0 }
    guard let pixelSize else { return placeholder == .loading ? reservedHeight : 0 }
    let width = isFailureInPlace ? min(width, naturalWidth(of: pixelSize)) : width
    let rows = (Double(width) * rowsPerColumn(pixelSize)).rounded()
    return max(1, min(Int(rows), maximumSize.height))
  }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    if let image {
      draw(image, in: &canvas, at: origin)
      if followsPicture, !failure.isEmpty {
        drawFailure(in: &canvas, at: origin, row: frame.height - 1)
      }
      return
    }
    guard followsPicture else {
      if let badge, placeholder != .loading || isBeingRetried {
        draw(badge, in: &canvas, at: origin)
      }
      return
    }
    switch placeholder {
    case .none: break
    case .failed: drawFailure(in: &canvas, at: origin, row: (frame.height - 1) / 2)
    case .loading:
      canvas.fill(
        Rect(origin: origin, size: frame.size),
        with: CanvasCell(" ", style: Style(background: theme.placeholder)))
      if let preview { draw(preview, in: &canvas, at: origin) }
    }
  }

  private func draw(_ picture: Picture, in canvas: inout Canvas, at origin: Point) {
    let shown = Rect(origin: .zero, size: picture.size)
      .intersection(Rect(origin: .zero, size: frame.size))
    canvas.copy(picture.cells, from: shown, to: origin)
  }

  /// Draws one line, truncated to the frame's width.
  private func drawFailure(in canvas: inout Canvas, at origin: Point, row: Int) {
    guard !frame.size.isEmpty else { return }
    let line = TextMetrics.current.truncated(
      "✕ \(Sanitizer.line(failure))", toWidth: frame.width)
    canvas.draw(
      line, at: Point(x: origin.x, y: origin.y + row),
      style: theme.style(for: .secondary), maximumWidth: frame.width)
  }

  /// Fills the frame with the badge, its text in the middle.
  private func draw(_ badge: Badge, in canvas: inout Canvas, at origin: Point) {
    guard !frame.size.isEmpty else { return }
    let style = theme.block(badge.number)
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell(" ", style: style))
    let text = TextMetrics.current.truncated(badge.text, toWidth: frame.width)
    let columns = TextMetrics.current.width(of: text)
    canvas.draw(
      text, at: origin.offset(dx: (frame.width - columns) / 2, dy: (frame.height - 1) / 2),
      style: theme.emphasized(style), maximumWidth: frame.width)
  }
}

extension ImageView: PlaceProviding {
  public func offset(atLine line: Int) -> Int { max(0, min(line, frame.height - 1)) }

  /// A line of a picture remains the same line; if the picture has become smaller, its last one.
  public func line(ofOffset offset: Int) -> Int { max(0, min(offset, frame.height - 1)) }
}

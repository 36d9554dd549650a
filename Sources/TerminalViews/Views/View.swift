import ConstraintLayout
import Geometry
import Terminal

/// A layout item that draws cells.
///
/// A view draws only itself in ``draw(in:at:)``; ``render(into:origin:)`` draws it with its
/// subviews, in their order, each clipped to its frame and to those of the views around it.
@MainActor open class View: LayoutItem {
  /// A hidden view keeps its place in the layout and draws nothing, as in UIKit.
  public var isHidden = false {
    didSet { if isHidden != oldValue { setNeedsDisplay() } }
  }

  private var ownTheme: Theme?

  /// How text and marks look in this view and those inside it: that of the view around it, unless
  /// it is given its own.
  ///
  /// - Complexity: O(views around it) to ask, O(views inside it) to set.
  public var theme: Theme {
    get { ownTheme ?? themeAround }
    set {
      guard newValue != ownTheme else { return }
      ownTheme = newValue
      themeDidChange()
    }
  }

  /// The theme of what is around the view; ``Theme/standard`` around a root.
  var themeAround: Theme { viewAround?.theme ?? .standard }

  /// Called when the theme may have changed, then for the views inside. A view that has others draw
  /// for it passes it on to them.
  open func themeDidChange() {
    setNeedsDisplay()
    for case let view as View in subitems where view.ownTheme == nil { view.themeDidChange() }
  }

  /// True since something changed that drawing shows; the one who draws the root clears it.
  public private(set) var needsDisplay = true

  /// True since something changed that the height of the root may depend on.
  public private(set) var needsLayout = true

  /// The view around this one; nil for a root.
  public var superview: View? { superitem as? View }

  /// The view that has this one drawn: the one around it, of a list's cell the list; nil where none
  /// does.
  package var viewAround: View? { superview }

  /// The view's frame, counted from the corner of `ancestor`, which is the view itself or one
  /// around it.
  ///
  /// - Complexity: O(views between).
  package func frame(in ancestor: View) -> Rect {
    var result = Rect(origin: .zero, size: frame.size)
    var next: View? = self
    while let view = next, view !== ancestor {
      result = result.offset(dx: view.frame.minX, dy: view.frame.minY)
      next = view.superview
    }
    return result
  }

  /// Adds a view inside this one, in front of those that are there; it is taken from where it was.
  public func addSubview(_ view: View) { addSubitem(view) }

  /// Draws this view, `frame.size` large, with its top left cell at `origin` of `canvas`.
  open func draw(in canvas: inout Canvas, at origin: Point) {}

  /// Draws this view and those inside it, with its top left cell at `origin`.
  ///
  /// - Complexity: O(n) in the cells drawn.
  public func render(into canvas: inout Canvas, origin: Point) {
    guard !isHidden else { return }
    canvas.clipped(to: Rect(origin: origin, size: frame.size)) { canvas in
      draw(in: &canvas, at: origin)
      for case let view as View in subitems {
        view.render(
          into: &canvas, origin: origin.offset(dx: view.frame.minX, dy: view.frame.minY))
      }
    }
  }

  /// Marks this view and those around it as in need of drawing.
  ///
  /// - Complexity: O(views around it that are not marked yet).
  public func setNeedsDisplay() {
    guard !needsDisplay else { return }
    needsDisplay = true
    displayNeedsChanged()
    superview?.setNeedsDisplay()
  }

  /// Marks this view and those around it as in need of layout, and so of drawing.
  override open func setNeedsLayout() {
    super.setNeedsLayout()
    setNeedsDisplay()
    guard !needsLayout else { return }
    needsLayout = true
    layoutNeedsChanged()
    superview?.setNeedsLayout()
  }

  /// Called once on each change of `needsDisplay` to true.
  open func displayNeedsChanged() {}

  /// Called once on each change of `needsLayout` to true.
  open func layoutNeedsChanged() {}

  /// Called by whoever has drawn this tree.
  ///
  /// - Complexity: O(views that needed it).
  public func markDisplayed() {
    needsDisplay = false
    for case let view as View in subitems where view.needsDisplay { view.markDisplayed() }
  }

  /// Called by whoever has laid this tree out.
  ///
  /// - Complexity: O(views that needed it).
  public func markLaidOut() {
    needsLayout = false
    for case let view as View in subitems where view.needsLayout { view.markLaidOut() }
  }
}

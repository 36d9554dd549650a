import ConstraintLayout
import Geometry
import Terminal

/// A layout item that draws cells.
///
/// A view draws only itself in ``draw(in:at:)``; ``render(into:origin:)`` draws it with its
/// subviews, in their order, each clipped to its frame and to those of its superviews.
@MainActor open class View: LayoutItem {
  /// A hidden view keeps its place in the layout and draws nothing, as in UIKit.
  public var isHidden = false {
    didSet { if isHidden != oldValue { setNeedsDisplay() } }
  }

  /// Whether an application asks this view to respond to events and to take part in frames, if its
  /// class is a responder; `true` by default. A class that only draws or holds other views says `false`, so
  /// that no conformance is searched for.
  open var participates: Bool { true }

  private var ownTheme: Theme?

  /// The styles of text and marks in this view and its subviews: the theme of the view around it,
  /// unless it is set here.
  ///
  /// - Complexity: O(views around it) to read, O(views inside it) to set.
  public var theme: Theme {
    get { ownTheme ?? inheritedTheme }
    set {
      guard newValue != ownTheme else { return }
      ownTheme = newValue
      themeDidChange()
    }
  }

  /// The theme of the view around this one; ``Theme/standard`` around a root.
  var inheritedTheme: Theme { enclosingView?.theme ?? .standard }

  /// Called when the theme may have changed, then for the subviews. A view that draws others which
  /// are not its subviews passes the call on to them.
  open func themeDidChange() {
    setNeedsDisplay()
    for case let view as View in subitems where view.ownTheme == nil { view.themeDidChange() }
  }

  /// Whether something has changed that drawing shows. Cleared by the code that draws the root.
  public private(set) var needsDisplay = true

  /// Whether something has changed that the height of the root may depend on.
  public private(set) var needsLayout = true

  /// The view around this one; `nil` for a root.
  public var superview: View? { superitem as? View }

  /// The view through which this one is drawn: its superview, or the list of a list's cell; `nil`
  /// if there is none.
  package var enclosingView: View? { superview }

  /// The view's frame in the coordinates of `ancestor`, which is the view itself or one around it.
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

  /// Adds a subview in front of the existing ones; it is removed from its former superview.
  public func addSubview(_ view: View) { addSubitem(view) }

  /// Draws this view, `frame.size` large, with its top left cell at `origin` of `canvas`.
  open func draw(in canvas: inout Canvas, at origin: Point) {}

  /// Draws this view and its subviews, with its top left cell at `origin`.
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

  /// Marks this view and its superviews as in need of drawing.
  ///
  /// - Complexity: O(superviews that are not marked yet).
  public func setNeedsDisplay() {
    guard !needsDisplay else { return }
    needsDisplay = true
    displayNeedsChanged()
    superview?.setNeedsDisplay()
  }

  /// Marks this view and its superviews as in need of layout, and so of drawing.
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

  /// Called after this tree has been drawn.
  ///
  /// - Complexity: O(views that needed it).
  public func markDisplayed() {
    needsDisplay = false
    for case let view as View in subitems where view.needsDisplay { view.markDisplayed() }
  }

  /// Called after this tree has been laid out.
  ///
  /// - Complexity: O(views that needed it).
  public func markLaidOut() {
    needsLayout = false
    for case let view as View in subitems where view.needsLayout { view.markLaidOut() }
  }
}

import ConstraintLayout
import Geometry
import Terminal
import TerminalViews

/// The root of a view tree on the screen, around a single content view.
@MainActor final class RootView: View {
  let content: View
  weak var window: Window?
  /// The responders inside, from the outside in; `nil` until computed. They are needed in every
  /// frame, and views seldom come or go.
  private var cachedResponders: [any Responder]?

  init(_ content: View) {
    self.content = content
    super.init(name: "root")
    addSubview(content)
  }

  override var participates: Bool { false }

  override var frame: Rect {
    didSet { if frame.size != oldValue.size { setNeedsLayout() } }
  }

  override func didChangeDescendants() { cachedResponders = nil }

  /// The responders inside, from the outside in.
  var allResponders: [any Responder] {
    if let cachedResponders { return cachedResponders }
    var found: [any Responder] = []
    content.forEachView { view in
      if let responder = view.asResponder { found.append(responder) }
    }
    cachedResponders = found
    return found
  }

  /// The views inside that can have the focus now.
  var focusable: [any Responder] { allResponders.filter { !$0.isHidden && $0.canBeFocused } }

  /// The first view in ``focusable``.
  var firstFocusable: (any Responder)? {
    allResponders.first { !$0.isHidden && $0.canBeFocused }
  }

  /// Lays out the tree if needed: by constraints if there are any; otherwise the content fills the
  /// root.
  func layoutIfNeeded() {
    guard needsLayout else { return }
    if !Self.hasConstraints(content) {
      content.frame = Rect(origin: .zero, size: frame.size)
    } else {
      if constraints.isEmpty { content.edgesToSuperview() }
      let corner = frame.origin
      layoutIfNeeded(width: frame.width, height: frame.height)
      frame.origin = corner
    }
    markLaidOut()
  }

  override func displayNeedsChanged() { window?.application?.frames.viewsChanged() }

  /// Whether an item or one of its descendants has active constraints.
  private static func hasConstraints(_ item: LayoutItem) -> Bool {
    !item.constraints.isEmpty || item.subitems.contains(where: hasConstraints)
  }
}

extension View {
  /// The application that shows this view, also if it is in a cell of a list; `nil` if none does.
  ///
  /// - Complexity: O(views around it).
  public var application: TerminalApplication? {
    var view = self
    while let next = view.enclosingView { view = next }
    return (view as? RootView)?.window?.application
  }

  /// The position of the view's corner on the screen, computed from frames. In a list's cell, which
  /// has no superview, it is relative to the cell.
  public var cornerOnScreen: Point {
    var corner = frame.origin
    var around = superview
    while let view = around {
      corner = corner.offset(dx: view.frame.minX, dy: view.frame.minY)
      around = view.superview
    }
    return corner
  }

  /// The innermost visible view at a point relative to this view's corner; `nil` if there is none.
  func view(at point: Point) -> View? {
    guard !isHidden, Rect(origin: .zero, size: frame.size).contains(point) else { return nil }
    for case let child as View in subitems.reversed() {
      let inside = point.offset(dx: -child.frame.minX, dy: -child.frame.minY)
      if let found = child.view(at: inside) { return found }
    }
    return self
  }

  /// This view, if it is a responder.
  var asResponder: (any Responder)? { participates ? self as? any Responder : nil }

  /// The responders among this view and the views around it, innermost first.
  var responders: [any Responder] {
    var responders: [any Responder] = []
    var next: View? = self
    while let view = next {
      if let responder = view.asResponder { responders.append(responder) }
      next = view.superview
    }
    return responders
  }

  /// The first visible list in this view.
  var firstShownList: ListView? {
    guard !isHidden else { return nil }
    if let list = self as? ListView { return list }
    for case let child as View in subitems {
      if let list = child.firstShownList { return list }
    }
    return nil
  }

  /// Calls `body` with this view and its descendants, from the outside in.
  func forEachView(_ body: (View) -> Void) {
    body(self)
    for case let child as View in subitems { child.forEachView(body) }
  }
}

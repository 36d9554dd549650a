import ConstraintSolver
import Geometry

/// Lays out a tree by its system of constraints. One pass:
///
///     updateConstraints → content sizes → solve → heights at the solved widths → solve
///       → edges rounded, frames set → layoutSubitems → (constraints changed: again, at most twice)
///
/// An imposed height that the root has already is not given to the solver: a cell usually gets the
/// height it asked for, and the constraint would be added and removed for each row that it shows.
/// Frames that such a height does not change are not set again either.
@MainActor final class LayoutEngine {
  /// The item that owns the engine.
  unowned let root: LayoutItem
  /// The root's box, for each pass: reading it through `root`, a checked reference, costs more.
  private let rootBox: LayoutBox
  let system: LayoutSystem
  /// True while an item may need a call of `updateConstraints`.
  private var updatesConstraints = true

  /// The class of trees that this one shares a solved system with; `nil` if it has none, or once
  /// the tree has changed.
  private var layoutClass: LayoutClass?
  /// All boxes of the tree by their numbers; only for trees with a class.
  private var orderedBoxes: [LayoutBox] = []

  private let imposedWidth: LayoutConstraint
  private let fittingHeight: LayoutConstraint
  /// `nil` until a height is first imposed.
  private var imposedHeight: LayoutConstraint?
  private var laidOutSize: (width: Int, height: Int?)?

  init(root: LayoutItem) {
    self.root = root
    rootBox = root.box
    imposedWidth = .imposed(on: root, .width, "Encapsulated-Layout-Width")
    fittingHeight = .imposed(on: root, .height, "Fitting-Height", priority: .fittingSizeLevel)
    layoutClass = root.layoutClass
    if layoutClass != nil {
      orderedBoxes = LayoutEngine.boxesInOrder(of: root)
      for index in orderedBoxes.indices { orderedBoxes[index].ordinal = index }
    }
    // Only boxes that a constraint mentions get unknowns.
    let count = min(root.boxCount, 2 * root.held.count + 1)
    if let template = layoutClass?.template(boxCount: orderedBoxes.count) {
      system = LayoutSystem(root: root, solver: template.solver.copy(), boxCount: count)
    } else {
      // Each item with a content size has two or four constraints for it.
      let solver = Solver(
        expectedVariables: 4 * count, expectedConstraints: root.held.count + 2 * count)
      system = LayoutSystem(root: root, solver: solver, boxCount: count)
    }
  }

  // MARK: Trees

  /// Fills the system from the root's tree: copies that of its class, or builds it.
  func loadTree() {
    if let template = layoutClass?.template(boxCount: orderedBoxes.count) {
      do { return try system.adopt(template, orderedBoxes, held: constraintsOfClass) } catch {
        // A copy that refuses what its original accepted is useless; build the tree from scratch.
        system.report(error)
        system.restart()
        leaveClass()
      }
    }
    system.addReporting(imposedWidth)
    system.addReporting(fittingHeight)
    for constraint in root.held.all { system.addReporting(constraint) }
  }

  /// In the order in which a copy looks them up.
  private var constraintsOfClass: [LayoutConstraint] {
    [imposedWidth, fittingHeight] + root.held.all
  }

  /// Called when the tree differs from the others of its class.
  func leaveClass() {
    layoutClass = nil
    orderedBoxes = []
  }

  /// Every box of the tree, in numbering order.
  static func boxesInOrder(of root: LayoutItem) -> [LayoutBox] {
    var found: [LayoutBox] = []
    func visit(_ item: LayoutItem) {
      found.append(item.box)
      for guide in item.guides { found.append(guide.box) }
      for child in item.subitems { visit(child) }
    }
    visit(root)
    return found
  }

  /// Adds the constraints of an item that joined the tree.
  func attach(_ constraints: [LayoutConstraint]) {
    leaveClass()
    setNeedsUpdateConstraints()
    for constraint in constraints { system.addReporting(constraint) }
  }

  /// Removes an item that left the tree, with all items below it.
  func detach(_ item: LayoutItem) {
    leaveClass()
    for constraint in item.held.all where constraint.system === system {
      system.remove(constraint)
    }
    for box in LayoutEngine.boxesInOrder(of: item) { system.release(box) }
    system.needsPass = true
  }

  func setNeedsUpdateConstraints() {
    updatesConstraints = true
    system.needsPass = true
  }

  /// The imposed height, if the solver does not have it.
  private var omittedHeight: LayoutConstraint? {
    guard laidOutSize?.height != nil, let imposedHeight else { return nil }
    return imposedHeight.isPlaced ? nil : imposedHeight
  }

  /// Every constraint in force, including broken ones, in no particular order.
  var constraintsInForce: [LayoutConstraint] {
    system.everyConstraint + (omittedHeight.map { [$0] } ?? [])
  }

  // MARK: Passes

  func layout(width: Int, height: Int?) {
    let isSameWidth = laidOutSize?.width == width
    guard system.needsPass || !isSameWidth || laidOutSize?.height != height else { return }
    if let height, !system.needsPass, isSameWidth, hasHeight(height) {
      laidOutSize = (width, height)
      impose(height)
      return
    }
    impose(width: width, height: height)
    for pass in 1...3 {
      updateConstraints()
      solveBothPhases()
      if let height, let imposedHeight, !imposedHeight.isPlaced, !hasHeight(height) {
        system.addReporting(imposedHeight)
        solveBothPhases()
      }
      applyFrames(root, origin: Point(x: 0, y: 0), serial: system.serial)
      system.needsPass = false
      // The last pass only settles the changes that the hooks of the previous one made.
      if pass < 3 { callHooks(root) }
      if !system.needsPass { break }
    }
    laidOutSize = (width, height)
    if let layoutClass, layoutClass.template == nil {
      layoutClass.template = system.template(orderedBoxes, held: constraintsOfClass)
    }
  }

  func fittingSize(width: Int) -> Size {
    updateConstraints()
    impose(width: width, height: nil)
    solveBothPhases()
    let solved = rootBox.solved
    return Size(
      width: max(0, LayoutEngine.rounded(solved.width)),
      height: max(0, LayoutEngine.rounded(solved.height)))
  }

  private func updateConstraints() {
    guard updatesConstraints else { return }
    updatesConstraints = false
    root.updateConstraintsIfNeeded()
  }

  private func impose(width: Int, height: Int?) {
    imposedWidth.constant = Double(width)
    if let height {
      impose(height)
    } else if let imposedHeight, imposedHeight.isPlaced {
      system.remove(imposedHeight)
    }
  }

  /// Records the height; `layout` gives it to the solver only if the root's solved height differs.
  private func impose(_ height: Int) {
    if let imposedHeight {
      imposedHeight.constant = Double(height)
    } else {
      imposedHeight = .imposed(on: root, .height, "Encapsulated-Layout-Height", Double(height))
    }
  }

  /// Whether the root has this height, imposed or not.
  private func hasHeight(_ height: Int) -> Bool { rootBox.solved.height == Double(height) }

  // MARK: Two phases

  /// Solves widths with the previous heights, asks for heights at these widths, and solves again if
  /// any has changed. A height may change a width (a picture's proportions), so this is repeated,
  /// at most four times.
  private func solveBothPhases() {
    refreshContentSizes()
    system.solve()
    for _ in 0..<4 where refreshHeights() { system.solve() }
  }

  /// Hooks of items may add boxes during the loop.
  private func refreshContentSizes() {
    var index = 0
    while index < system.boxes.count {
      let box = system.boxes[index]
      if !box.isContentSizeValid { refreshContentSize(box) }
      index += 1
    }
  }

  private func refreshContentSize(_ box: LayoutBox) {
    guard box.systemSerial == system.serial else { return }
    box.isContentSizeValid = true
    box.widthOfHeight = nil
    guard let item = box.ownItem else { return }
    if box.hasBaselines || item.guides.contains(where: \.box.hasBaselines) {
      system.editBaselines(of: item)
    }
    let size = item.intrinsicContentSize
    setContentSize(size.width, .horizontal, item)
    // A height that depends on the width is known after solving; the old one serves till then.
    if let height = size.height { setContentSize(height, .vertical, item) }
  }

  /// Asks for the heights of items whose width has changed; true if the solver has to solve again.
  private func refreshHeights() -> Bool {
    var index = 0
    while index < system.boxes.count {
      let box = system.boxes[index]
      let width = LayoutEngine.columns(box.solved)
      if box.widthOfHeight != width { refreshHeight(box, width: width) }
      index += 1
    }
    return system.needsSolve
  }

  private func refreshHeight(_ box: LayoutBox, width: Int) {
    guard box.systemSerial == system.serial, let item = box.ownItem else { return }
    box.widthOfHeight = width
    if let height = item.intrinsicHeight(forWidth: width) {
      setContentSize(Double(height), .vertical, item)
    } else if item.intrinsicContentSize.height == nil {
      setContentSize(nil, .vertical, item)
    }
  }

  /// Edits, adds or removes the two constraints of an item's content size along an axis.
  private func setContentSize(_ size: Double?, _ axis: LayoutAxis, _ item: LayoutItem) {
    let box = item.box
    for kind in 0..<2 {
      let index = axis.rawValue * 2 + kind
      // No closures here: each would check which actor it runs on.
      guard var size, size.isFinite else {
        if let old = box.contentConstraints[index] { system.remove(old) }
        box.contentConstraints[index] = nil
        continue
      }
      size = max(0, size)
      if let constraint = box.contentConstraints[index] {
        constraint.constant = size
        continue
      }
      let constraint = LayoutConstraint.content(of: item, index, size)
      box.contentConstraints[index] = constraint
      system.addReporting(constraint)
    }
  }

  // MARK: Frames

  /// Columns between the rounded edges.
  static func columns(_ rect: FractionalRect) -> Int {
    max(0, rounded(rect.x + rect.width) - rounded(rect.x))
  }

  /// The cell edge nearest to a solved one; halves go down and right. Clamped to ±1e9.
  static func rounded(_ edge: Double) -> Int {
    let shifted = min(max(edge, -1e9), 1e9) + 0.5 + 1e-6
    let towardsZero = Int(shifted)
    return Double(towardsZero) > shifted ? towardsZero - 1 : towardsZero
  }

  private func applyFrames(_ item: LayoutItem, origin: Point, serial: Int) {
    var corner = origin
    let box = item.box
    if box.systemSerial == serial {
      let solved = box.solved
      let left = LayoutEngine.rounded(solved.x)
      let top = LayoutEngine.rounded(solved.y)
      let right = LayoutEngine.rounded(solved.x + solved.width)
      let bottom = LayoutEngine.rounded(solved.y + solved.height)
      let frame = Rect(
        x: left - origin.x, y: top - origin.y, width: max(0, right - left),
        height: max(0, bottom - top))
      if box === rootBox {
        // The root's position is set by its owner.
        let placed = Rect(origin: item.storedFrame.origin, size: frame.size)
        if item.storedFrame != placed { item.frame = placed }
      } else if item.storedFrame != frame {
        item.frame = frame
      }
      corner = Point(x: left, y: top)
    } else if box !== rootBox {
      corner = Point(x: origin.x + item.storedFrame.minX, y: origin.y + item.storedFrame.minY)
    }
    for child in item.children { applyFrames(child, origin: corner, serial: serial) }
  }

  private func callHooks(_ item: LayoutItem) {
    item.layoutSubitems()
    for child in item.children { callHooks(child) }
  }
}

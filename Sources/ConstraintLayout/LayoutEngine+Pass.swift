import ConstraintSolver
import Geometry

/// One layout pass:
///
///     updateConstraints → content sizes → solve → heights at the solved widths → solve
///       → edges rounded, frames set → layoutSubitems → (constraints changed: once more)
///
/// A height that the root has anyway is not handed to the solver: a cell is mostly given the height it
/// asked for, and the constraint would be put in and taken out again for each row it shows. Nor are
/// frames set again that such a height leaves as they are.
extension LayoutEngine {
  func layout(width: Int, height: Int?) {
    let isSameSize = laidOutSize.map { $0.width == width && $0.height == height } ?? false
    guard needsPass || !isSameSize else { return }
    if let height, !needsPass, !framesAreBehind, laidOutSize?.width == width, hasHeight(height) {
      laidOutSize = (width, height)
      imposedHeight.constant = Double(height)
      return
    }
    updateConstraints()
    impose(width: width, height: height)
    for pass in 1...3 {
      solveBothPhases()
      if let height, imposedHeight.engine == nil, !hasHeight(height) {
        addReporting(imposedHeight)
        solveBothPhases()
      }
      framesAreBehind = false
      applyFrames(root, origin: Point(x: 0, y: 0))
      needsPass = false
      // The last pass only settles what the hooks of the one before changed.
      if pass < 3 { callHooks(root) }
      if !needsPass { break }
    }
    laidOutSize = (width, height)
    offerTemplate()
  }

  func fittingSize(width: Int) -> Size {
    updateConstraints()
    impose(width: width, height: nil)
    solveBothPhases()
    let solved = root.box.solved
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
      imposedHeight.constant = Double(height)
    } else if imposedHeight.engine != nil {
      remove(imposedHeight)
    }
  }

  /// Whether the root has this height without its being imposed, or because it is.
  private func hasHeight(_ height: Int) -> Bool { root.box.solved.height == Double(height) }

  // MARK: Two phases

  /// Solves widths with the heights of last time, asks for heights at these widths, and solves again
  /// where any has changed. A height may change a width (a picture's proportions), so this is
  /// repeated a few times at most.
  private func solveBothPhases() {
    refreshContentSizes()
    retryBroken()
    solve()
    for _ in 0..<4 where refreshHeights() { solve() }
  }

  /// By index: hooks of items may add boxes meanwhile.
  private func refreshContentSizes() {
    var index = 0
    while index < boxes.count {
      let box = boxes[index]
      index += 1
      if box.isContentSizeValid { continue }
      box.isContentSizeValid = true
      box.widthOfHeight = nil
      guard box.guideName == nil, let item = box.item else { continue }
      let size = item.intrinsicContentSize
      setContentSize(size.width, .horizontal, item)
      // A height that follows the width is known only after solving; the old one serves till then.
      if let height = size.height { setContentSize(height, .vertical, item) }
    }
  }

  /// True where a height has changed.
  private func refreshHeights() -> Bool {
    var index = 0
    while index < boxes.count {
      let box = boxes[index]
      index += 1
      let width = LayoutEngine.columns(box.solved)
      if box.widthOfHeight == width { continue }
      guard box.guideName == nil, let item = box.item else { continue }
      box.widthOfHeight = width
      if let height = item.intrinsicHeight(forWidth: width) {
        setContentSize(Double(height), .vertical, item)
      } else if item.intrinsicContentSize.height == nil {
        setContentSize(nil, .vertical, item)
      }
    }
    return needsSolve
  }

  /// Edits, makes or removes the two constraints of an item's content size along an axis.
  private func setContentSize(_ size: Double?, _ axis: LayoutAxis, _ item: LayoutItem) {
    let box = item.box
    for kind in 0..<2 {
      let index = axis.rawValue * 2 + kind
      // No closures here: each would check which actor it runs on.
      guard var size, size.isFinite else {
        if let old = box.contentConstraints[index] { remove(old) }
        box.contentConstraints[index] = nil
        continue
      }
      size = max(0, size)
      if let constraint = box.contentConstraints[index] {
        constraint.constant = size
        continue
      }
      let constraint = LayoutConstraint.content(of: item, axis, isHugging: kind == 1, size)
      box.contentConstraints[index] = constraint
      addReporting(constraint)
    }
  }

  // MARK: Solving

  /// Adds broken constraints again whose opponents have changed.
  private func retryBroken() {
    if broken.isEmpty { return }
    for record in broken where record.isStale {
      broken.removeAll { $0.constraint === record.constraint }
      addReporting(record.constraint, age: record.constraint.age)
    }
  }

  func solve() {
    retryBroken()
    guard needsSolve else { return }
    needsSolve = false
    statistics.solves += 1
    do {
      for conflict in try solver.solve() { resolve(conflict) }
    } catch {
      imposedWidth.report(refusal(imposedWidth, error))
    }
    statistics.pivots = solver.pivotCount
    readValues()
  }

  private func resolve(_ conflict: SolverConflict) {
    let clashing = conflict.clashing.compactMap { owner(of: $0) }
    guard let constraint = owner(of: conflict.broken) else { return }
    let opponents = clashing.filter { $0 !== constraint }
    markBroken(
      constraint, Broken(constraint: constraint, opponents: opponents.map { ($0, $0.revision) }))
    let identities = opponents.map(ObjectIdentifier.init)
    guard identities != constraint.reportedOpponents else { return }
    constraint.reportedOpponents = identities
    LayoutConflict.onConflict?(LayoutConflict(clashing: clashing, broken: constraint))
  }

  /// Columns between the rounded edges.
  static func columns(_ rect: FractionalRect) -> Int {
    max(0, rounded(rect.x + rect.width) - rounded(rect.x))
  }

  func value(_ variable: Variable?) -> Double {
    guard let variable else { return 0 }
    return solver.value(of: variable)
  }

  private func readValues() {
    framesAreBehind = true
    for box in boxes {
      box.solved = FractionalRect(
        x: value(box.left), y: value(box.top), width: value(box.width), height: value(box.height))
    }
  }

  // MARK: Frames

  /// The cell edge nearest to a solved one; halves go down and right. Far values are cut off.
  static func rounded(_ edge: Double) -> Int {
    let shifted = min(max(edge, -1e9), 1e9) + 0.5 + 1e-6
    let towardsZero = Int(shifted)
    return Double(towardsZero) > shifted ? towardsZero - 1 : towardsZero
  }

  private func applyFrames(_ item: LayoutItem, origin: Point) {
    var corner = origin
    let box = item.box
    if box.engineSerial == serial {
      let solved = box.solved
      let left = LayoutEngine.rounded(solved.x)
      let top = LayoutEngine.rounded(solved.y)
      let right = LayoutEngine.rounded(solved.x + solved.width)
      let bottom = LayoutEngine.rounded(solved.y + solved.height)
      let frame = Rect(
        x: left - origin.x, y: top - origin.y, width: max(0, right - left),
        height: max(0, bottom - top))
      if item === root {
        // The root's place is its owner's.
        let placed = Rect(origin: item.storedFrame.origin, size: frame.size)
        if item.storedFrame != placed { item.frame = placed }
      } else if item.storedFrame != frame {
        item.frame = frame
      }
      corner = Point(x: left, y: top)
    } else if item !== root {
      corner = Point(x: origin.x + item.storedFrame.minX, y: origin.y + item.storedFrame.minY)
    }
    for child in item.children { applyFrames(child, origin: corner) }
  }

  private func callHooks(_ item: LayoutItem) {
    item.layoutSubitems()
    for child in item.children { callHooks(child) }
  }
}

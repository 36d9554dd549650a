import Geometry

/// A node with a frame in a tree; the layout part of a view.
///
/// The root of a tree, such as a cell, has the engine. The engine sets an item's frame as soon as
/// an active constraint mentions the item; other items keep the frames they are given.
///
/// References back to an item (from its subitems, box and guides) are `unowned`, and the item
/// clears them in its `deinit`: a weak one would make every retain and release of the item go
/// through a side table, several times slower.
@MainActor open class LayoutItem: LayoutAnchorProviding {
  /// The name in reports and in `--frames`.
  public var name: String
  /// The item that contains this one; `nil` for a root.
  @exclusivity(unchecked) public private(set) unowned var superitem: LayoutItem?
  /// The items inside this one, in order.
  public var subitems: [LayoutItem] { children }
  /// Always replaced as a whole, so that a pass, which reads it for every item, needs no check of
  /// exclusive access.
  private(set) var children: [LayoutItem] = []

  /// In whole columns and rows, relative to the superitem. Edges are rounded, never sizes, so that
  /// neighbours always meet.
  open var frame: Rect {
    get { storedFrame }
    set { storedFrame = newValue }
  }
  /// `frame`, read without a subclass's override.
  private(set) var storedFrame = Rect.zero
  /// The frame as solved, before rounding, in columns and rows from the root's corner.
  public var solvedFrame: FractionalRect { box.solved }

  /// Active constraints whose nearest common ancestor is this item.
  ///
  /// - Complexity: O(constraints of the tree).
  public var constraints: [LayoutConstraint] { root.held.all.filter { $0.holder === box } }
  /// For a root: the active constraints of its tree.
  @exclusivity(unchecked) var held = ConstraintChain()

  /// The class of trees of the same structure, which share a solved system; `nil`, the default, to
  /// share nothing. For roots; set it before the first layout.
  public var layoutClass: LayoutClass?

  let box = LayoutBox()
  var guides: [LayoutGuide] = []
  var safeArea: InsetGuide?
  var margins: InsetGuide?
  /// A root's engine, once it is needed.
  private(set) var existingEngine: LayoutEngine?
  private var needsUpdateConstraints = true
  private var priorities: InlineArray<4, LayoutPriority> = [
    .defaultHigh, .defaultLow, .defaultHigh, .defaultLow,
  ]

  /// An item outside any tree.
  public init(name: String = "") {
    self.name = name
    box.item = self
  }

  isolated deinit {
    existingEngine?.system.removeAll()
    for child in children { child.superitem = nil }
    while let constraint = held.popFirst() { handDown(constraint) }
    for guide in guides { guide.forgetOwner() }
    box.end()
  }

  /// Moves a constraint to the child whose subtree contains it, which is a root from now on; one
  /// that this item holds itself becomes inactive.
  private func handDown(_ constraint: LayoutConstraint) {
    guard let holder = constraint.holder, holder !== box, let item = holder.item else {
      constraint.holder = nil
      return
    }
    item.root.held.append(constraint)
  }

  /// The anchor of one attribute of its frame.
  public func anchorPoint(_ attribute: LayoutAttribute) -> LayoutAnchorPoint {
    LayoutAnchorPoint(box: box, attribute: attribute)
  }

  /// The insets of `safeAreaLayoutGuide`, in columns and rows; zero by default.
  public var safeAreaInsets: Insets = .zero {
    didSet { if safeAreaInsets != oldValue { safeArea?.setInsets(safeAreaInsets) } }
  }

  /// The insets of `layoutMarginsGuide`, in columns and rows; zero by default.
  public var layoutMargins: Insets = .zero {
    didSet { if layoutMargins != oldValue { margins?.setInsets(layoutMargins) } }
  }

  /// The side that is leading; `nil`, the default, follows the superitem, and at the root is left.
  @exclusivity(unchecked) public var layoutDirection: LayoutDirection? {
    didSet { if layoutDirection != oldValue { root.existingEngine?.system.replaceDirectional() } }
  }

  /// The side that is leading, inherited if not set.
  ///
  /// - Complexity: O(ancestors that set none).
  public var effectiveLayoutDirection: LayoutDirection {
    layoutDirection ?? superitem?.effectiveLayoutDirection ?? .leftToRight
  }

  // MARK: Content size

  /// The size its content asks for; none by default. Call `invalidateIntrinsicContentSize` when it
  /// changes.
  open var intrinsicContentSize: IntrinsicSize { .none }

  /// The rows that the content takes at `width` columns, asked for once widths are solved; `nil`,
  /// the default, if the height does not depend on the width.
  open func intrinsicHeight(forWidth width: Int) -> Int? { nil }

  /// The baseline of the first line, in rows below the top; 1, the bottom of the first row, by
  /// default.
  open var firstBaselineOffset: Double { 1 }

  /// How much the item resists growing beyond its content; `defaultLow` by default.
  public func contentHuggingPriority(for axis: LayoutAxis) -> LayoutPriority {
    contentPriority(axis.rawValue * 2 + 1)
  }

  /// Sets how much the item resists growing beyond its content. A priority outside 1…1000 is
  /// refused and reported to `LayoutConstraint.onError`.
  public func setContentHuggingPriority(_ priority: LayoutPriority, for axis: LayoutAxis) {
    setContentPriority(priority, axis.rawValue * 2 + 1)
  }

  /// How much the item resists shrinking below its content; `defaultHigh` by default.
  public func contentCompressionResistancePriority(for axis: LayoutAxis) -> LayoutPriority {
    contentPriority(axis.rawValue * 2)
  }

  /// Sets how much the item resists shrinking below its content; see `setContentHuggingPriority`.
  public func setContentCompressionResistancePriority(
    _ priority: LayoutPriority, for axis: LayoutAxis
  ) {
    setContentPriority(priority, axis.rawValue * 2)
  }

  /// By the constraint's index in `LayoutBox.contentConstraints`.
  func contentPriority(_ index: Int) -> LayoutPriority { priorities[index] }

  private func setContentPriority(_ priority: LayoutPriority, _ index: Int) {
    guard priority.isValid else {
      return LayoutConstraint.content(of: self, index, 0).report(priority)
    }
    priorities[index] = priority
    box.contentConstraints[index]?.changePriority(to: priority)
  }

  /// Makes the next pass ask for the content size and the baselines again. It is an edit: nothing
  /// is rebuilt.
  public func invalidateIntrinsicContentSize() {
    box.isContentSizeValid = false
    box.system?.needsPass = true
  }

  // MARK: Hooks

  /// Called before the first pass, and before a pass after `setNeedsUpdateConstraints`.
  open func updateConstraints() {}

  /// Called after frames are set. It may read frames and change constraints, which a second pass
  /// then solves. Changes made in that pass are solved too, but without a third call.
  open func layoutSubitems() {}

  /// Makes the next pass call `updateConstraints` first.
  public func setNeedsUpdateConstraints() {
    needsUpdateConstraints = true
    root.existingEngine?.setNeedsUpdateConstraints()
    setNeedsLayout()
  }

  /// Makes the next `layoutIfNeeded` lay out even if no constraint has changed.
  open func setNeedsLayout() { root.existingEngine?.system.needsPass = true }

  func updateConstraintsIfNeeded() {
    if needsUpdateConstraints {
      needsUpdateConstraints = false
      updateConstraints()
    }
    for item in children { item.updateConstraintsIfNeeded() }
  }

  // MARK: Tree

  /// Appends an item to the subitems; see `insertSubitem`.
  public func addSubitem(_ item: LayoutItem) { insertSubitem(item, at: subitems.count) }

  /// Inserts an item, removing it from its former superitem. An index out of range is clamped;
  /// inserting an item into itself or its descendant does nothing.
  ///
  /// - Complexity: O(subitems + depth), plus O(n log n) in the constraints of both trees if the
  ///   item's are not all younger, plus adding its own to the engine if there is one.
  public func insertSubitem(_ item: LayoutItem, at index: Int) {
    guard !isDescendant(of: item) else { return }
    item.removeFromSuperitem()
    if let engine = item.existingEngine {
      engine.system.removeAll()
      item.existingEngine = nil
    }
    var siblings = children
    // Emptied first, so that the array is not copied.
    children = []
    if siblings.isEmpty { siblings.reserveCapacity(8) }
    siblings.insert(item, at: min(max(index, 0), siblings.count))
    children = siblings
    item.superitem = self
    let root = root
    if let engine = root.existingEngine {
      let joining = item.held.all
      root.held.merge(&item.held)
      engine.attach(joining)
    } else {
      root.held.merge(&item.held)
    }
    didChangeSubitems()
    root.didChangeDescendants()
  }

  /// Removes the item from its superitem. Constraints between its subtree and the rest of the tree
  /// become inactive; those within its subtree stay active.
  ///
  /// - Complexity: O(subitems + depth · constraints of the tree), plus removing the item's own from
  ///   the engine if there is one.
  public func removeFromSuperitem() {
    guard let superitem else { return }
    let oldRoot = root
    var leaving: [LayoutConstraint] = []
    for constraint in oldRoot.held.all where constraint.reaches(into: self) {
      if constraint.holder?.item?.isDescendant(of: self) == true {
        leaving.append(constraint)
      } else {
        constraint.deactivate()
      }
    }
    superitem.children = superitem.children.filter { $0 !== self }
    self.superitem = nil
    for constraint in leaving {
      oldRoot.held.remove(constraint)
      held.append(constraint)
    }
    oldRoot.existingEngine?.detach(self)
    superitem.didChangeSubitems()
    oldRoot.didChangeDescendants()
  }

  /// Called after a subitem was added or removed.
  open func didChangeSubitems() {}

  /// Called on the root after an item was added or removed anywhere below it.
  open func didChangeDescendants() {}

  /// The topmost ancestor; the item itself if it has no superitem.
  ///
  /// - Complexity: O(ancestors).
  public var root: LayoutItem {
    var item = self
    while let above = item.superitem { item = above }
    return item
  }

  /// Whether the item is `other` or below it.
  ///
  /// - Complexity: O(ancestors).
  public func isDescendant(of other: LayoutItem) -> Bool {
    var item: LayoutItem? = self
    while let current = item {
      if current === other { return true }
      item = current.superitem
    }
    return false
  }

  /// The number of items and guides in the item's subtree, itself included.
  var boxCount: Int {
    var count = 1 + guides.count
    for child in children { count += child.boxCount }
    return count
  }

  // MARK: Layout, always of the whole tree, by the engine of its root

  /// Solves the tree at `width` columns, and sets the frames of all its items.
  ///
  /// Does nothing if nothing has changed since the last time. `height`, if given, is imposed as the
  /// required constraint "Encapsulated-Layout-Height"; otherwise the root takes its smallest
  /// height. Negative sizes count as zero.
  /// - Complexity: O(items) plus a few pivots of O(items · constraints); the first time
  ///   O(constraints · items · constraints).
  public func layoutIfNeeded(width: Int, height: Int? = nil) {
    root.engine.layout(width: max(0, width), height: height.map { max(0, $0) })
  }

  /// The size the root takes at `width` columns when its height is pulled to 0 at
  /// `fittingSizeLevel`. No frame changes.
  ///
  /// - Complexity: as `layoutIfNeeded`, without setting frames.
  public func systemLayoutSizeFitting(width: Int) -> Size {
    root.engine.fittingSize(width: max(0, width))
  }

  /// All active constraints of the tree, broken ones included: those of code, guides and content
  /// sizes, and imposed ones. Empty before the first layout.
  ///
  /// - Complexity: O(n log n) in the constraints of the tree.
  public var activeConstraints: [LayoutConstraint] {
    root.existingEngine?.constraintsInForce ?? []
  }

  /// Active constraints that were given up in conflicts.
  ///
  /// - Complexity: as `activeConstraints`.
  public var brokenConstraints: [LayoutConstraint] { activeConstraints.filter(\.isBroken) }

  /// The work of the tree's engine so far, for tests and the inspector.
  public var layoutStatistics: LayoutStatistics {
    root.existingEngine?.system.statistics ?? LayoutStatistics()
  }

  /// The constraints behind the frames of the tree. Solves pending changes first, but sets no
  /// frames.
  ///
  /// - Complexity: O(n log n) in the constraints of the tree, plus a solve if there are changes.
  public var layoutInspection: LayoutInspection { LayoutInspection(engine: root.engine) }

  /// Items of the tree whose frames the constraints leave open; `nil` if every frame is determined,
  /// or before the first layout. Solves pending changes first. For tests and the inspector: it is
  /// slow.
  ///
  /// - Complexity: that of solving twice for each open unknown.
  public func layoutAmbiguity() -> LayoutAmbiguity? {
    root.existingEngine.flatMap { LayoutAmbiguity($0.system) }
  }

  /// Whether the constraints leave this item's frame open.
  ///
  /// - Complexity: that of `layoutAmbiguity`.
  public var hasAmbiguousLayout: Bool {
    layoutAmbiguity()?.items.contains { $0.item === self } ?? false
  }

  var engine: LayoutEngine {
    if let existingEngine { return existingEngine }
    let engine = LayoutEngine(root: self)
    existingEngine = engine
    engine.loadTree()
    return engine
  }
}

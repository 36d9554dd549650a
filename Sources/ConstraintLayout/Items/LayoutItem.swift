import Geometry

/// Something with a frame in a tree of such things; what views are for layout.
///
/// The root of a tree has the engine: a cell is a root. An item's frame is the engine's as soon as
/// an active constraint mentions it; items that none mentions keep the frames they are given.
///
/// What points back at an item (its subitems, box and guides) does so by `unowned` references, which
/// the item takes back when it ends: a weak one would make every retain and release of the item go by
/// way of a side table, several times slower.
@MainActor open class LayoutItem: LayoutAnchorProviding {
  /// Names it in reports and in `--frames`.
  public var name: String
  /// The item around this one; nil for a root.
  @exclusivity(unchecked) public private(set) unowned var superitem: LayoutItem?
  /// The items inside this one, in their order.
  public var subitems: [LayoutItem] { children }
  /// Always replaced as a whole. A pass reads it for every item, and so needs not check each time
  /// that nobody is changing it.
  private(set) var children: [LayoutItem] = []

  /// In whole columns and rows, relative to the superitem. Edges are rounded, never sizes, so that
  /// neighbours always meet.
  open var frame: Rect {
    get { storedFrame }
    set { storedFrame = newValue }
  }
  /// `frame`, read without asking a subclass.
  private(set) var storedFrame = Rect.zero
  /// The frame as solved, before rounding, in columns and rows from the root's corner.
  public var solvedFrame: FractionalRect { box.solved }

  /// Active constraints whose nearest common ancestor this item is.
  ///
  /// - Complexity: O(constraints of the tree).
  public var constraints: [LayoutConstraint] { root.held.all.filter { $0.holder === box } }
  /// A root's: the active constraints of its tree.
  @exclusivity(unchecked) var held = ConstraintChain()

  /// Trees of the same structure, with which it shares what they have solved; nil, the default,
  /// where it shares nothing. For roots; to be set before the first layout.
  public var layoutClass: LayoutClass?

  let box = LayoutBox()
  var guides: [LayoutGuide] = []
  var safeArea: InsetGuide?
  var margins: InsetGuide?
  /// A root's engine, once it has laid out.
  var existingEngine: LayoutEngine?
  private var needsUpdateConstraints = true
  private var priorities: InlineArray<4, LayoutPriority> = [
    .defaultHigh, .defaultLow, .defaultHigh, .defaultLow,
  ]

  /// An item of no tree yet.
  public init(name: String = "") {
    self.name = name
    box.item = self
  }

  isolated deinit {
    existingEngine?.system.removeAll()
    for child in children { child.superitem = nil }
    while let constraint = held.popFirst() { hand(constraint) }
    for guide in guides { guide.forgetOwner() }
    box.end()
  }

  /// What a tree that ends had of one of its children's, which are roots from now on.
  private func hand(_ constraint: LayoutConstraint) {
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

  /// What `safeAreaLayoutGuide` is inset by, in columns and rows; zero by default.
  public var safeAreaInsets: Insets = .zero {
    didSet { if safeAreaInsets != oldValue { safeArea?.setInsets(safeAreaInsets) } }
  }

  /// What `layoutMarginsGuide` is inset by, in columns and rows; zero by default.
  public var layoutMargins: Insets = .zero {
    didSet { if layoutMargins != oldValue { margins?.setInsets(layoutMargins) } }
  }

  /// Which side is leading; nil, the default, follows the superitem, and at the root is left.
  @exclusivity(unchecked) public var layoutDirection: LayoutDirection? {
    didSet { if layoutDirection != oldValue { root.existingEngine?.system.replaceDirectional() } }
  }

  /// Which side is leading, as it comes out.
  ///
  /// - Complexity: O(levels above that set none).
  public var effectiveLayoutDirection: LayoutDirection {
    layoutDirection ?? superitem?.effectiveLayoutDirection ?? .leftToRight
  }

  // MARK: Content size

  /// The size its content asks for; none by default. Call `invalidateIntrinsicContentSize` when it
  /// changes.
  open var intrinsicContentSize: IntrinsicSize { .none }

  /// The rows its content takes at so many columns, asked for once widths are solved; nil, the
  /// default, where the height does not depend on the width.
  open func intrinsicHeight(forWidth width: Int) -> Int? { nil }

  /// Where the first line's baseline is, in rows below the top; 1, the bottom of the first row, by
  /// default.
  open var firstBaselineOffset: Double { 1 }

  /// How much the item resists growing beyond its content; `defaultLow` by default.
  public func contentHuggingPriority(for axis: LayoutAxis) -> LayoutPriority {
    contentPriority(axis.rawValue * 2 + 1)
  }

  /// Sets how much the item resists growing beyond its content. What is not within 1…1000 is
  /// refused: `LayoutConstraint.onError` is told.
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

  /// By the constraint's place in `LayoutBox.contentConstraints`.
  func contentPriority(_ index: Int) -> LayoutPriority { priorities[index] }

  private func setContentPriority(_ priority: LayoutPriority, _ index: Int) {
    guard priority.isValid else {
      return LayoutConstraint.content(of: self, index, 0).report(priority)
    }
    priorities[index] = priority
    box.contentConstraints[index]?.changePriority(to: priority)
  }

  /// Has the content size and the baselines asked for again in the next pass. An edit: nothing is
  /// rebuilt.
  public func invalidateIntrinsicContentSize() {
    box.isContentSizeValid = false
    box.system?.needsPass = true
  }

  // MARK: Hooks

  /// Called before a pass in which `setNeedsUpdateConstraints` was called, and before the first.
  open func updateConstraints() {}

  /// Called after frames are set. It may read frames and change constraints, which are then solved
  /// in a second pass; what it changes in that one is solved too, but it is not called a third
  /// time.
  open func layoutSubitems() {}

  /// Has `updateConstraints` called before the next pass.
  public func setNeedsUpdateConstraints() {
    needsUpdateConstraints = true
    root.existingEngine?.setNeedsUpdateConstraints()
    setNeedsLayout()
  }

  /// Has the next `layoutIfNeeded` lay out although no constraint has changed.
  open func setNeedsLayout() { root.existingEngine?.system.needsPass = true }

  func updateConstraintsIfNeeded() {
    if needsUpdateConstraints {
      needsUpdateConstraints = false
      updateConstraints()
    }
    for item in children { item.updateConstraintsIfNeeded() }
  }

  // MARK: Tree

  /// Adds an item inside this one, after those that are there; see `insertSubitem`.
  public func addSubitem(_ item: LayoutItem) { insertSubitem(item, at: subitems.count) }

  /// Inserts an item, taking it from where it was. An index out of range is clamped; an item is not
  /// put into itself or its own descendant.
  public func insertSubitem(_ item: LayoutItem, at index: Int) {
    guard !isDescendant(of: item) else { return }
    item.removeFromSuperitem()
    if let engine = item.existingEngine {
      engine.system.removeAll()
      item.existingEngine = nil
    }
    var siblings = children
    // Taken out, so that it is not copied.
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

  /// Takes the item out of its superitem. Constraints between it or its descendants and what stays
  /// become inactive; those within it go with it.
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

  /// Called of the topmost item after an item was added or removed anywhere below it.
  open func didChangeDescendants() {}

  /// The topmost ancestor; the item itself where it has no superitem.
  public var root: LayoutItem {
    var item = self
    while let above = item.superitem { item = above }
    return item
  }

  /// True also for the item itself.
  public func isDescendant(of other: LayoutItem) -> Bool {
    var item: LayoutItem? = self
    while let current = item {
      if current === other { return true }
      item = current.superitem
    }
    return false
  }

  /// Items and guides of the tree below it, its own included.
  var boxCount: Int {
    var count = 1 + guides.count
    for child in children { count += child.boxCount }
    return count
  }
}

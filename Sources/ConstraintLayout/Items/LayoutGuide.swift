import Geometry

/// A frame inside an item that is laid out but not drawn.
@MainActor public final class LayoutGuide: LayoutAnchorProviding {
  /// The name in reports.
  public let name: String
  /// The item that the guide is in; cleared when the item ends.
  public internal(set) unowned var owner: LayoutItem?
  let box = LayoutBox()

  /// A guide without an owner.
  public init(name: String = "guide") {
    self.name = name
    box.guideName = name
  }

  isolated deinit { box.end() }

  func forgetOwner() {
    owner = nil
    box.item = nil
  }

  /// The anchor of one attribute of its frame.
  public func anchorPoint(_ attribute: LayoutAttribute) -> LayoutAnchorPoint {
    LayoutAnchorPoint(box: box, attribute: attribute)
  }

  /// The frame as solved, in columns and rows from the root's corner.
  public var solvedFrame: FractionalRect { box.solved }
}

extension LayoutItem {
  /// Adds a guide to the item; its anchors can then be used in constraints.
  public func addLayoutGuide(_ guide: LayoutGuide) {
    guard guide.owner !== self else { return }
    guide.owner?.removeLayoutGuide(guide)
    guide.owner = self
    guide.box.item = self
    guides.append(guide)
    root.existingEngine?.leaveClass()
  }

  /// Removes a guide and deactivates all constraints on it. If it was the safe area's or the
  /// margins' guide, the item makes a new one at the next access.
  ///
  /// - Complexity: O(constraints of the tree).
  public func removeLayoutGuide(_ guide: LayoutGuide) {
    guard guide.owner === self else { return }
    for constraint in root.held.all where constraint.mentions(guide.box) {
      constraint.deactivate()
    }
    root.existingEngine?.leaveClass()
    guide.box.system?.release(guide.box)
    guide.forgetOwner()
    guides.removeAll { $0 === guide }
    if safeArea?.guide === guide { safeArea = nil }
    if margins?.guide === guide { margins = nil }
  }

  /// The part of the item that is not covered: inset by `safeAreaInsets`, zero by default.
  public var safeAreaLayoutGuide: LayoutGuide {
    if let safeArea { return safeArea.guide }
    let area = InsetGuide(of: self, name: "safeArea", label: "safe area", safeAreaInsets)
    safeArea = area
    return area.guide
  }

  /// The part of the item that is for content: inset by `layoutMargins`, zero by default.
  public var layoutMarginsGuide: LayoutGuide {
    if let margins { return margins.guide }
    let area = InsetGuide(of: self, name: "margins", label: "margin", layoutMargins)
    margins = area
    return area.guide
  }
}

/// A guide inside an item, and the constraints of its edges: top, left, bottom, right.
@MainActor struct InsetGuide {
  let guide: LayoutGuide
  private let edges: [LayoutConstraint]

  init(of item: LayoutItem, name: String, label: String, _ insets: Insets) {
    let guide = LayoutGuide(name: name)
    item.addLayoutGuide(guide)
    self.guide = guide
    edges = zip([LayoutAttribute.top, .left, .bottom, .right], Self.offsets(insets)).map {
      LayoutConstraint(
        guide.anchorPoint($0), .equal, item.anchorPoint($0), 1, $1, nil, origin: .guide,
        label: label)
    }
    LayoutConstraint.activate(edges)
  }

  func setInsets(_ insets: Insets) {
    for (edge, offset) in zip(edges, Self.offsets(insets)) { edge.constant = offset }
  }

  private static func offsets(_ insets: Insets) -> [Double] {
    [Double(insets.top), Double(insets.left), -Double(insets.bottom), -Double(insets.right)]
  }
}

import Geometry

/// A frame inside an item that is laid out but not drawn.
@MainActor public final class LayoutGuide: LayoutAnchorProviding {
  /// What it is called, for reports.
  public let name: String
  /// Takes itself back when it ends.
  public internal(set) unowned var owner: LayoutItem?
  let box = LayoutBox()

  /// A guide of no item yet.
  public init(name: String = "guide") {
    self.name = name
    box.guideName = name
  }

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
    guide.owner?.removeLayoutGuide(guide)
    guide.owner = self
    guide.box.item = self
    guides.append(guide)
    root.existingEngine?.leaveClass()
  }

  /// Removes a guide and all constraints on it.
  public func removeLayoutGuide(_ guide: LayoutGuide) {
    guard guide.owner === self else { return }
    for constraint in root.heldConstraints() where constraint.mentions(guide.box) {
      constraint.deactivate()
    }
    guide.box.system?.release(guide.box)
    guide.forgetOwner()
    guides.removeAll { $0 === guide }
  }

  /// The part of the item that nothing covers: inset by `safeAreaInsets`, none by default.
  public var safeAreaLayoutGuide: LayoutGuide {
    if let safeArea { return safeArea.guide }
    let guide = LayoutGuide(name: "safeArea")
    addLayoutGuide(guide)
    func edge(_ attribute: LayoutAttribute, _ constant: Int) -> LayoutConstraint {
      LayoutConstraint(
        guide.anchorPoint(attribute), .equal, anchorPoint(attribute), 1, Double(constant), nil,
        origin: .guide, label: "safe area")
    }
    let insets = safeAreaInsets
    let edges = [
      edge(.top, insets.top), edge(.left, insets.left), edge(.bottom, -insets.bottom),
      edge(.right, -insets.right),
    ]
    safeArea = SafeArea(guide: guide, edges: edges)
    LayoutConstraint.activate(edges)
    return guide
  }

  func safeAreaInsetsDidChange() {
    guard let edges = safeArea?.edges else { return }
    let insets = safeAreaInsets
    edges[0].constant = Double(insets.top)
    edges[1].constant = Double(insets.left)
    edges[2].constant = -Double(insets.bottom)
    edges[3].constant = -Double(insets.right)
  }

  /// The safe area's guide and its four edges: top, left, bottom, right.
  struct SafeArea {
    let guide: LayoutGuide
    let edges: [LayoutConstraint]
  }
}

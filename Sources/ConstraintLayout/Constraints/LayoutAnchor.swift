/// An edge, size, centre or baseline of an item or guide.
public enum LayoutAttribute: String, Hashable, Sendable {
  /// An edge, a size, a centre, or the bottom of the first row of text.
  case leading, trailing, left, right, top, bottom, width, height, centerX, centerY, firstBaseline

  /// Leading and trailing, which swap sides in right-to-left layouts.
  var isDirectional: Bool { self == .leading || self == .trailing }
  /// Sizes; all others are positions.
  var isSize: Bool { self == .width || self == .height }
  /// Whether it belongs to the vertical axis.
  var isVertical: Bool {
    switch self {
    case .top, .bottom, .height, .centerY, .firstBaseline: true
    default: false
    }
  }
  var isBaseline: Bool { self == .firstBaseline }
  /// The edges that ignore the layout direction.
  var isAbsoluteSide: Bool { self == .left || self == .right }
}

/// The common part of the three kinds of anchors. A constraint relates only anchors of the same
/// kind.
@MainActor public protocol LayoutAnchor {
  /// The attribute, and the item or guide, that the anchor stands for.
  var point: LayoutAnchorPoint { get }
}

/// The attribute, and the item or guide, that an anchor stands for.
@MainActor public struct LayoutAnchorPoint {
  let box: LayoutBox
  /// The edge, size, centre or baseline.
  public let attribute: LayoutAttribute

  /// The item, or the owner of the guide; `nil` once it no longer exists.
  public var item: LayoutItem? { box.item }
  /// "icon.width".
  public var description: String { "\(box.name).\(attribute.rawValue)" }
}

/// A horizontal position: leading, trailing, left, right, centerX.
public struct LayoutXAxisAnchor: LayoutAnchor { public let point: LayoutAnchorPoint }

/// A vertical position: top, bottom, centerY, firstBaseline.
public struct LayoutYAxisAnchor: LayoutAnchor { public let point: LayoutAnchorPoint }

/// A width or height.
public struct LayoutDimension: LayoutAnchor { public let point: LayoutAnchorPoint }

extension LayoutAnchor {
  /// An inactive constraint: this == `multiplier` · `other` + `constant`.
  ///
  /// `constant` is in columns or rows. If `multiplier` is not 1, positions are measured from the
  /// corner of the nearest common ancestor.
  public func constraint(
    equalTo other: Self, multiplier: Double = 1, constant: Double = 0,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .equal, other.point, multiplier, constant, .init(file, line))
  }

  /// An inactive constraint: this <= `multiplier` · `other` + `constant`.
  ///
  /// `constant` is in columns or rows. If `multiplier` is not 1, positions are measured from the
  /// corner of the nearest common ancestor.
  public func constraint(
    lessThanOrEqualTo other: Self, multiplier: Double = 1, constant: Double = 0,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .lessThanOrEqual, other.point, multiplier, constant, .init(file, line))
  }

  /// An inactive constraint: this >= `multiplier` · `other` + `constant`.
  ///
  /// `constant` is in columns or rows. If `multiplier` is not 1, positions are measured from the
  /// corner of the nearest common ancestor.
  public func constraint(
    greaterThanOrEqualTo other: Self, multiplier: Double = 1, constant: Double = 0,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(
      point, .greaterThanOrEqual, other.point, multiplier, constant, .init(file, line))
  }
}

extension LayoutDimension {
  /// An inactive constraint: this == `constant`, in columns or rows.
  public func constraint(
    equalToConstant constant: Double, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .equal, nil, 1, constant, .init(file, line))
  }

  /// An inactive constraint: this <= `constant`, in columns or rows.
  public func constraint(
    lessThanOrEqualToConstant constant: Double, file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .lessThanOrEqual, nil, 1, constant, .init(file, line))
  }

  /// An inactive constraint: this >= `constant`, in columns or rows.
  public func constraint(
    greaterThanOrEqualToConstant constant: Double, file: StaticString = #fileID,
    line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .greaterThanOrEqual, nil, 1, constant, .init(file, line))
  }
}

/// An object whose frame constraints can refer to: an item or a guide.
@MainActor public protocol LayoutAnchorProviding: AnyObject {
  /// The anchor of one attribute.
  func anchorPoint(_ attribute: LayoutAttribute) -> LayoutAnchorPoint
}

extension LayoutAnchorProviding {
  /// The edge at which reading begins: left, or right in right-to-left layouts.
  public var leadingAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.leading)) }
  /// The edge at which reading ends.
  public var trailingAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.trailing)) }
  /// The left edge.
  public var leftAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.left)) }
  /// The right edge, after the last column.
  public var rightAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.right)) }
  /// Halfway between left and right.
  public var centerXAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.centerX)) }
  /// The upper edge.
  public var topAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.top)) }
  /// The lower edge, after the last row.
  public var bottomAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.bottom)) }
  /// Halfway between top and bottom.
  public var centerYAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.centerY)) }
  /// The bottom of the first row of text (``LayoutItem/firstBaselineOffset``).
  public var firstBaselineAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.firstBaseline)) }
  /// The width in columns.
  public var widthAnchor: LayoutDimension { .init(point: anchorPoint(.width)) }
  /// The height in rows.
  public var heightAnchor: LayoutDimension { .init(point: anchorPoint(.height)) }
}

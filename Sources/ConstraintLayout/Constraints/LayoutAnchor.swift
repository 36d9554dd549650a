/// An edge, size or centre of an item or guide.
public enum LayoutAttribute: String, Hashable, Sendable {
  /// An edge, a size, a middle, or the bottom of the first row of text.
  case leading, trailing, left, right, top, bottom, width, height, centerX, centerY, firstBaseline

  /// Leading and trailing, which swap sides in right-to-left layouts.
  var isDirectional: Bool { self == .leading || self == .trailing }
  /// Sizes; all others are positions.
  var isSize: Bool { self == .width || self == .height }
  /// Whether it is on the way down.
  var isVertical: Bool {
    switch self {
    case .top, .bottom, .height, .centerY, .firstBaseline: true
    default: false
    }
  }
  var isBaseline: Bool { self == .firstBaseline }
  /// Positions across, that a mirrored constraint mirrors.
  var isAbsoluteSide: Bool { self == .left || self == .right }
}

/// What the three kinds of anchors share. Only anchors of one kind can be set against each other.
@MainActor public protocol LayoutAnchor {
  /// What it stands for.
  var point: LayoutAnchorPoint { get }
}

/// Which attribute of which item an anchor stands for.
@MainActor public struct LayoutAnchorPoint {
  let box: LayoutBox
  /// Which edge, size or centre.
  public let attribute: LayoutAttribute

  /// The item, or the owner of the guide; nil when it no longer exists.
  public var item: LayoutItem? { box.item }
  /// "icon.width".
  public var description: String { "\(box.name).\(attribute.rawValue)" }
}

/// A position across: leading, trailing, left, right, centerX.
public struct LayoutXAxisAnchor: LayoutAnchor { public let point: LayoutAnchorPoint }

/// A position down: top, bottom, centerY, firstBaseline.
public struct LayoutYAxisAnchor: LayoutAnchor { public let point: LayoutAnchorPoint }

/// A width or height.
public struct LayoutDimension: LayoutAnchor { public let point: LayoutAnchorPoint }

extension LayoutAnchor {
  /// An inactive constraint: this == `multiplier` · `other` + `constant`.
  public func constraint(
    equalTo other: Self, multiplier: Double = 1, constant: Double = 0,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .equal, other.point, multiplier, constant, .init(file, line))
  }

  /// An inactive constraint: this <= `multiplier` · `other` + `constant`.
  public func constraint(
    lessThanOrEqualTo other: Self, multiplier: Double = 1, constant: Double = 0,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LayoutConstraint {
    LayoutConstraint(point, .lessThanOrEqual, other.point, multiplier, constant, .init(file, line))
  }

  /// An inactive constraint: this >= `multiplier` · `other` + `constant`.
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

/// Something with a frame that constraints can be made on: an item or a guide.
@MainActor public protocol LayoutAnchorProviding: AnyObject {
  /// The anchor of one attribute.
  func anchorPoint(_ attribute: LayoutAttribute) -> LayoutAnchorPoint
}

extension LayoutAnchorProviding {
  /// Where reading begins: the left edge, or the right one from right to left.
  public var leadingAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.leading)) }
  /// Where reading ends.
  public var trailingAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.trailing)) }
  /// The left edge.
  public var leftAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.left)) }
  /// The right edge, after the last column.
  public var rightAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.right)) }
  /// The middle between left and right.
  public var centerXAnchor: LayoutXAxisAnchor { .init(point: anchorPoint(.centerX)) }
  /// The upper edge.
  public var topAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.top)) }
  /// The lower edge, after the last row.
  public var bottomAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.bottom)) }
  /// The middle between top and bottom.
  public var centerYAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.centerY)) }
  /// The bottom of the first row of text (``LayoutItem/firstBaselineOffset``).
  public var firstBaselineAnchor: LayoutYAxisAnchor { .init(point: anchorPoint(.firstBaseline)) }
  /// Columns.
  public var widthAnchor: LayoutDimension { .init(point: anchorPoint(.width)) }
  /// Rows.
  public var heightAnchor: LayoutDimension { .init(point: anchorPoint(.height)) }
}

/// A symbol's position in the tableau, and the generation of the valid handle for its id.
@usableFromInline struct Place {
  /// A column, or `~row` for basic symbols; for an unused id the next unused id.
  @usableFromInline var position: Int32
  @usableFromInline var generation: UInt32
}

/// What a row or column of the tableau stands for. Each constraint has exactly one symbol, its
/// marker s = Σ coefficient·variable + constant, with `≤` negated so that s ≥ 0 is wanted. Markers
/// of required constraints are scaled by a power of 2 that brings their largest coefficient to 1…2.
struct Symbol {
  enum Kind: UInt8 {
    case unused
    /// An unknown: any value, no cost.
    case variable
    /// An unknown that is at least 0.
    case nonnegative
    /// Required: s = 0.
    case equality
    /// Required: s ≥ 0.
    case inequality
    /// Optional: |s| costs.
    case softEquality
    /// Optional: a negative s costs.
    case softInequality
    /// A removed constraint whose marker is still a column. It is free, and leaves when another
    /// symbol takes its place or at the latest when the next solve ends.
    case dropped
  }

  var kind: Kind = .unused
  /// Basic optional symbols only: the side of 0 on which its cost is taken. Side 0 costs nothing
  /// and is valid only at the value 0.
  var side: Int8 = 0
  /// Whether a conflict refuses another constraint instead, if there is one.
  var isProtected = false
  /// The objective row of its priority; optional constraints only.
  var slot: Int32 = 0
  var priority: Float = 0
  var termStart: Int32 = 0
  var termCount: Int32 = 0
  var termCapacity: Int32 = 0
  /// Variables only: the number of terms that mention it.
  var uses: Int32 = 0
  /// The factor applied to the constraint as given; negative if a `≤` was negated.
  var orientation: Double = 1
  /// The constant as given, times `orientation`.
  var constant: Double = 0
  /// Rises with every addition and edit; a conflict refuses the constraint with the highest.
  var stamp: UInt64 = 0

  @inline(__always) var isVariable: Bool { kind == .variable || kind == .nonnegative }
  /// Whether it may leave 0 only upwards.
  @inline(__always) var isOneSided: Bool { kind == .inequality || kind == .nonnegative }
  @inline(__always) var isRequired: Bool { kind == .equality || kind == .inequality }
  @inline(__always) var isSoft: Bool { kind == .softEquality || kind == .softInequality }
  @inline(__always) var isConstraint: Bool { isRequired || isSoft }
  @inline(__always) var isMarker: Bool { isConstraint || kind == .dropped }

  /// Cost per unit above 0.
  @inline(__always) var upWeight: Double { kind == .softEquality ? 1 : 0 }
  /// Cost per unit below 0.
  @inline(__always) var downWeight: Double { isSoft ? 1 : 0 }

  /// Cost per unit of a move from 0 to `side`.
  @inline(__always) func weight(_ side: Int8) -> Double { side > 0 ? upWeight : downWeight }

  /// Derivative of its cost on `side` of 0; 0 at 0 itself.
  @inline(__always) func slope(on side: Int8) -> Double {
    switch kind {
    case .softEquality: Double(side)
    case .softInequality: side < 0 ? -1 : 0
    default: 0
    }
  }

  /// Derivative of its cost on its present side.
  @inline(__always) var slope: Double { slope(on: side) }

  /// The values it may take on its present side while basic.
  @inline(__always) var bounds: (lower: Double, upper: Double) {
    switch kind {
    case .unused, .variable, .dropped: (-.infinity, .infinity)
    case .equality: (0, 0)
    case .inequality, .nonnegative: (0, .infinity)
    case .softEquality:
      side > 0 ? (0, .infinity) : side < 0 ? (-.infinity, 0) : (0, 0)
    case .softInequality: side < 0 ? (-.infinity, 0) : (0, .infinity)
    }
  }
}

/// Where a symbol stands, and which of the handles given out for its id is the present one.
@usableFromInline struct Place {
  /// A column, or `~row` for basic symbols; of an id not in use the next such id.
  @usableFromInline var position: Int32
  @usableFromInline var generation: UInt32
}

/// What the tableau's rows and columns stand for. Each constraint has exactly one symbol, its
/// marker s = Σ coefficient·variable + constant, with `≤` turned round so that s ≥ 0 is wanted.
/// Those of required constraints are scaled by a power of 2 that makes their largest coefficient 1
/// to 2.
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
    /// A removed constraint whose marker is still a column. It is free, and leaves when something
    /// takes its place or at the latest when the next solve ends.
    case dropped
  }

  var kind: Kind = .unused
  /// Basic optional symbols only: on which side of 0 its cost is taken. 0 costs nothing and is
  /// legitimate only at the value 0.
  var side: Int8 = 0
  /// Never the one given up in a conflict while there is another.
  var isProtected = false
  /// Objective row of its priority; optional constraints only.
  var slot: Int32 = 0
  var priority: Float = 0
  var termStart: Int32 = 0
  var termCount: Int32 = 0
  var termCapacity: Int32 = 0
  /// Variables only: how many constraints mention it.
  var uses: Int32 = 0
  /// What the constraint as given was multiplied with; below 0 where a `≤` was turned round.
  var orientation: Double = 1
  /// As given times `orientation`.
  var constant: Double = 0
  /// Rises with every addition and edit: the highest of a conflict is given up.
  var stamp: UInt64 = 0

  @inline(__always) var isVariable: Bool { kind == .variable || kind == .nonnegative }
  /// Whether it may leave 0 upwards alone.
  @inline(__always) var isOneSided: Bool { kind == .inequality || kind == .nonnegative }
  @inline(__always) var isRequired: Bool { kind == .equality || kind == .inequality }
  @inline(__always) var isSoft: Bool { kind == .softEquality || kind == .softInequality }
  @inline(__always) var isConstraint: Bool { isRequired || isSoft }
  @inline(__always) var isMarker: Bool { isConstraint || kind == .dropped }

  /// Cost per unit above 0.
  @inline(__always) var upWeight: Double { kind == .softEquality ? 1 : 0 }
  /// Cost per unit below 0.
  @inline(__always) var downWeight: Double { isSoft ? 1 : 0 }

  /// Cost per unit of a move from 0 to a side.
  @inline(__always) func weight(_ side: Int8) -> Double { side > 0 ? upWeight : downWeight }

  /// Derivative of its cost on a side of 0; at 0 itself 0.
  @inline(__always) func slope(on side: Int8) -> Double {
    switch kind {
    case .softEquality: Double(side)
    case .softInequality: side < 0 ? -1 : 0
    default: 0
    }
  }

  /// Derivative of its cost on its present side.
  @inline(__always) var slope: Double { slope(on: side) }

  /// Values it may take on its present side, when basic.
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

/// When a basis's numbers were last checked, and the changes to them since.
struct Numbers {
  /// Pivots that changed rows other than their own. A pivot on a column that is zero in all others
  /// causes no more rounding than reading its constraint does.
  private var pivots = 0
  private var pivotsAtCheck = 0
  private var pivotsAtRefactoring = 0
  private var pivotsAtCellCheck = 0
  private var editsSinceCheck = 0
  /// How far the weighted sum of all values may have moved from its right value.
  private var drift = 0.0

  /// Pivots smaller than this share of their row are avoided, or made on recomputed numbers.
  static var soundShare: Double { 1e-9 }
  /// Pivots, and edits, after which values are checked even if no error is known.
  private static var pivotsBetweenChecks: Int { 16 }
  private static var editsBetweenChecks: Int { 64 }
  /// Moves by more than this leave rounding errors that show in smaller numbers.
  private static var largeMove: Double { 1e5 }
  /// A weighted sum that is off by more than this is examined.
  static var driftTolerance: Double { 1e-8 }
  /// Pivots, in all and in one solve, after which the tableau's cells are checked.
  private static var pivotsBetweenCellChecks: Int { 1024 }
  private static var pivotsOfLongSolve: Int { 32 }
  /// Pivots after which rounding errors are cleared.
  private static var pivotsBetweenRefactorings: Int { 4096 }

  @inline(__always) mutating func noteEdit(by change: Double) {
    editsSinceCheck &+= 1
    if abs(change) > Numbers.largeMove { drift = .infinity }
  }

  /// Records a pivot that moved its column's symbol by `step` and the weighted sum by `change`.
  @inline(__always)
  mutating func notePivot(by step: Double, drift change: Double, isFresh: Bool) {
    if !isFresh { pivots &+= 1 }
    drift = abs(step) > Numbers.largeMove ? .infinity : drift + abs(change)
  }

  @inline(__always) func needsCheck() -> Bool {
    pivots &- pivotsAtCheck >= Numbers.pivotsBetweenChecks
      || editsSinceCheck >= Numbers.editsBetweenChecks || !(drift <= Numbers.driftTolerance / 2)
  }

  func needsRefactoring() -> Bool {
    pivots &- pivotsAtRefactoring > Numbers.pivotsBetweenRefactorings
  }

  /// Whether there were enough pivots since the numbers were recomputed for errors to matter.
  func mayHaveDrifted() -> Bool { pivots &- pivotsAtRefactoring > 20 }

  mutating func noteCheck() {
    pivotsAtCheck = pivots
    editsSinceCheck = 0
    drift = 0
  }

  /// To be called before `noteCheck`.
  @inline(__always) func needsCellCheck() -> Bool {
    let since = pivots &- pivotsAtCellCheck
    return since >= Numbers.pivotsBetweenCellChecks
      || min(since, pivots &- pivotsAtCheck) >= Numbers.pivotsOfLongSolve
  }

  mutating func noteCellCheck() { pivotsAtCellCheck = pivots }

  mutating func noteRefactoring() {
    pivotsAtRefactoring = pivots
    pivotsAtCellCheck = pivots
    // The cause may persist, so the next check is due at once.
    drift = .infinity
  }
}

/// When a basis's numbers were last looked at, and what happened to them since.
struct Numbers {
  /// Pivots that changed other rows than their own. A pivot on a column that is zero in all others
  /// leaves no more rounding than the reading of its constraint does.
  private var pivots = 0
  private var pivotsAtCheck = 0
  private var pivotsAtRefactoring = 0
  private var pivotsAtCellCheck = 0
  private var editsSinceCheck = 0
  /// By how much the weighted sum of all values may have moved away from where it has to be.
  private var drift = 0.0

  /// Pivots smaller than this share of their row are left to others, or to fresh numbers.
  static var soundShare: Double { 1e-9 }
  /// Values are checked after so many pivots or edits, though nothing is known to be off.
  private static var pivotsBetweenChecks: Int { 16 }
  private static var editsBetweenChecks: Int { 64 }
  /// Moves by more leave rounding errors that smaller numbers would show.
  private static var largeMove: Double { 1e5 }
  /// A weighted sum that is off by more is looked into.
  static var driftTolerance: Double { 1e-8 }
  /// The tableau's cells are checked after so many pivots, and after so many in one solve.
  private static var pivotsBetweenCellChecks: Int { 1024 }
  private static var pivotsOfLongSolve: Int { 32 }
  /// Rounding errors are cleared after so many pivots.
  private static var pivotsBetweenRefactorings: Int { 4096 }

  @inline(__always) mutating func noteEdit(by change: Double) {
    editsSinceCheck &+= 1
    if abs(change) > Numbers.largeMove { drift = .infinity }
  }

  /// A pivot whose column's symbol moved by `step`, and the weighted sum of all values by `change`.
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

  /// Whether there were pivots enough since the numbers were fresh for them to have suffered.
  func mayHaveDrifted() -> Bool { pivots &- pivotsAtRefactoring > 20 }

  mutating func noteCheck() {
    pivotsAtCheck = pivots
    editsSinceCheck = 0
    drift = 0
  }

  /// To be asked before `noteCheck`.
  @inline(__always) func needsCellCheck() -> Bool {
    let since = pivots &- pivotsAtCellCheck
    return since >= Numbers.pivotsBetweenCellChecks
      || min(since, pivots &- pivotsAtCheck) >= Numbers.pivotsOfLongSolve
  }

  mutating func noteCellCheck() { pivotsAtCellCheck = pivots }

  mutating func noteRefactoring() {
    pivotsAtRefactoring = pivots
    pivotsAtCellCheck = pivots
    // What led to it may not be cured by it.
    drift = .infinity
  }
}

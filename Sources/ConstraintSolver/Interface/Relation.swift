/// How a constraint's left side relates to zero.
public enum Relation: Int8, Hashable, Sendable {
  /// It is at most zero.
  case lessThanOrEqual = -1
  /// It is zero.
  case equal = 0
  /// It is at least zero.
  case greaterThanOrEqual = 1
}

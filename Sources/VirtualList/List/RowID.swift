/// The identity of a row, given by the data source: stable while rows come, go and move around it.
public struct RowID: Hashable, Sendable {
  /// Any number that no other row has.
  public let rawValue: UInt64

  /// An identity by its number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A row's identity, from the data source: stable while rows around it come, go or move.
public struct RowID: Hashable, Sendable {
  /// A number unique to the row.
  public let rawValue: UInt64

  /// Creates an identity from its number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

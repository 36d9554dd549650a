import FoundationEssentials

/// Identifies a row.
public typealias IndexPath = FoundationEssentials.IndexPath

extension FoundationEssentials.IndexPath {
  /// The path of a row, as in UIKit; a list has the one section 0.
  public init(row: Int, section: Int = 0) { self.init(indexes: [section, row]) }

  /// The row of a path that identifies one.
  public var row: Int { self[1] }
}

/// Why a batch of updates, or a request for a row, was refused; the list is unchanged.
public enum ListUpdateError: Error, Hashable, Sendable {
  /// The data source has `actual` rows, but the previous count and the updates yield `expected`.
  case wrongCount(expected: Int, actual: Int)
  /// An update names `row`, which is not among the `count` rows it refers to.
  case rowOutOfRange(row: Int, count: Int)
  /// `row` is deleted, inserted or moved twice, or deleted and also moved or reloaded.
  case conflictingUpdates(row: Int)
  /// Two rows have the same identity.
  case duplicateID(RowID, first: Int, second: Int)
}

extension ListUpdateError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wrongCount(let expected, let actual):
      "the number of rows is \(expected) after the updates, but \(actual) in the data source"
    case .rowOutOfRange(let row, let count):
      "row \(row) is out of range; the number of rows is \(count)"
    case .conflictingUpdates(let row): "row \(row) is updated in two ways at once"
    case .duplicateID(let id, let first, let second):
      "rows \(first) and \(second) have the same identity \(id.rawValue)"
    }
  }
}

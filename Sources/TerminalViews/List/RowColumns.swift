/// The columns of a list that its rows have.
struct RowColumns: Equatable {
  /// The most columns; rows of a wider list stand in the middle. `nil` for no limit.
  var maximum: Int?
  /// The most columns to the right of the middle that rows have in addition.
  var maximumRoom = 0

  /// The number of columns of the middle.
  private func middle(of columns: Int) -> Int { max(1, min(columns, maximum ?? .max)) }

  func margin(in columns: Int) -> Int { max(0, (columns - middle(of: columns)) / 2) }

  func width(in columns: Int) -> Int {
    middle(of: columns) + min(margin(in: columns), maximumRoom)
  }
}

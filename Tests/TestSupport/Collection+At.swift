import Testing

extension Collection where Index == Int {
  /// The element at `index`. With too few elements only this test fails; a subscript would end the
  /// process, and with it all other tests.
  public func at(
    _ index: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Element {
    try #require(
      indices.contains(index), "there are \(count) elements", sourceLocation: sourceLocation)
    return self[index]
  }
}

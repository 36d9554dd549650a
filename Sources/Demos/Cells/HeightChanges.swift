/// The widths at which a row's height changes.
enum HeightChanges {
  /// The widths that are searched, in columns.
  static let widths = 12...240

  /// The nearest widths, in columns, at which the height differs from the next narrower width's.
  ///
  /// - Parameter height: the height at a width.
  /// - Complexity: O(widths up to the nearest ones), each with a measurement.
  static func nearest(to width: Int, of height: (Int) -> Int) -> (narrower: Int?, wider: Int?) {
    let now = height(width)
    let narrower = stride(from: width - 1, through: widths.lowerBound, by: -1)
      .first { height($0) != now }
    let wider = stride(from: width + 1, through: widths.upperBound, by: 1)
      .first { height($0) != now }
    return (narrower.map { $0 + 1 }, wider)
  }
}

@testable import VirtualList

extension FuzzTarget {
  /// Scrolling, jumps, drags, updates and resizes of a list, each byte a decision; what shows is
  /// held against a plain array of lines.
  static let list = FuzzTarget(
    "list", modules: ["VirtualList"], longestInput: 400, briefRuns: 1500, seeds: listSeeds
  ) { bytes in
    let driver = ListDriver(drawing: ByteGenerator(InputBytes(bytes)))
    var last = driver.moment()
    var steps = 0
    while let random = driver.random as? ByteGenerator, !random.isAtEnd, steps < 120 {
      steps += 1
      let step = driver.step(after: last)
      last = step.after
      try check(step, driver)
    }
  }

  private static func check(_ step: ListDriver.Step, _ driver: ListDriver) throws(Finding) {
    let name = "\(step.operation)"
    if case .wrongBatch = step.operation {
      try require(step.error != nil, "a wrong batch was taken")
    } else if let error = step.error {
      throw Finding(description: "\(name): \(error)")
    }
    if let broken = driver.model.brokenInvariants().first {
      throw Finding(description: "\(name): \(broken)")
    }
    try require(driver.model.count == driver.rows.rows.count, "\(name): another count")
    for (row, content) in driver.rows.rows.enumerated() {
      guard let height = driver.model.tree.measuredHeight(ofRow: row) else { continue }
      try require(height == driver.rows.height(content), "\(name): row \(row) has \(height) lines")
    }
    if let expected = step.expectedTop, !step.after.isDragging {
      try require(
        step.after.topLine == expected, "\(name): line \(step.after.topLine), not \(expected)")
    }
    let top = step.after.topLine
    let lines = driver.rows.lines(top..<top + driver.model.viewportHeight)
    try require(step.after.screen == lines, "\(name): the screen is no slice of the lines")
    try require(driver.measuredTwice == nil, "\(name): a row was measured again")
    let end = ListDriver.track * ScrollBarModel.unit
    let thumb = step.after.thumb
    try require(thumb.start >= 0 && thumb.end <= end, "\(name): a thumb at \(thumb)")
  }

  private static let listSeeds: [[UInt8]] = (0..<8).map { start in
    (0..<200).map { UInt8(truncatingIfNeeded: ($0 * 73 + start * 29) ^ ($0 >> 3)) }
  }
}

extension Canvas {
  /// By how many rows most of `old` moved up to become this canvas: negative for down, 0 where it
  /// did not move or nothing tells.
  ///
  /// A guess that spares work and never changes what is drawn: a few rows of `old` are looked for,
  /// and what one suggests is taken if half of a dozen rows agree. Both must be of one size.
  ///
  /// - Complexity: O(rows²) comparisons at worst, nearly all of which are of one cell.
  func rowsMoved(since old: Canvas) -> Int {
    let (width, height) = (size.width, size.height)
    guard old.size == size, height > 2, width > 0 else { return 0 }
    return cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        func isSame(_ newRow: Int, _ oldRow: Int) -> Bool {
          guard newRow >= 0, newRow < height, oldRow >= 0, oldRow < height else { return false }
          return CanvasCell.areEqual(new, at: newRow * width, old, at: oldRow * width, count: width)
        }
        func agrees(_ shift: Int) -> Bool {
          let looked = stride(from: 0, to: height, by: max(1, height / 12))
          var (count, same) = (0, 0)
          for row in looked {
            count += 1
            if isSame(row, row + shift) { same += 1 }
          }
          return same * 2 >= count
        }
        for sample in [height / 2, height / 3, height * 2 / 3] {
          let cells = sample * width..<(sample + 1) * width
          let column = UnsafeBufferPointer(rebasing: old[cells]).firstDifference(
            from: UnsafeBufferPointer(rebasing: new[cells]))
          guard column < width else { continue }
          // A cell that no longer stands here is a good one to look for.
          let sought = old[sample * width + column]
          for distance in 1..<height {
            for shift in [distance, -distance] {
              let row = sample - shift
              guard row >= 0, row < height, new[row * width + column] == sought,
                isSame(row, sample), agrees(shift)
              else { continue }
              return shift
            }
          }
        }
        return 0
      }
    }
  }
}

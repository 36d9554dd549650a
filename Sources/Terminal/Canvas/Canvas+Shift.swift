extension Canvas {
  /// The number of rows by which most of `old` moved up to become this canvas: negative for down, 0
  /// if it did not move, no move was found, or the sizes differ.
  ///
  /// A heuristic that saves work and never changes the frame: it searches for a few rows of `old`,
  /// and accepts a shift if half of a dozen rows agree with it.
  ///
  /// - Complexity: O(rows²) comparisons at worst, nearly all of which are of one cell.
  func verticalShift(since old: Canvas) -> Int {
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
          // A cell whose column has changed is a good one to search for.
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

import Geometry
import Pixels

extension PixelSize {
  /// Differences of proportions up to this fraction are due to rounding.
  private static let tolerance = 0.03

  /// The part of a box of cells for a picture of `declared` size that one of this size takes: all
  /// of it if the proportions match, else the most that its own allow.
  func fitted(into box: Size, declaredAs declared: PixelSize) -> Size {
    guard !box.isEmpty else { return box }
    let share = proportion / declared.proportion
    guard abs(share - 1) > Self.tolerance else { return box }
    // The box has the declared proportions after rounding and limits, so the box is scaled.
    let width = share > 1 ? Double(box.width) / share : Double(box.width)
    let height = share > 1 ? Double(box.height) : Double(box.height) * share
    return Size(
      width: max(1, min(box.width, Int(width.rounded()))),
      height: max(1, min(box.height, Int(height.rounded()))))
  }

  /// Height divided by width.
  private var proportion: Double { Double(max(1, height)) / Double(max(1, width)) }
}

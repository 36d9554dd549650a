import Geometry
import Pixels

extension PixelSize {
  /// Differences of proportions up to this share are a matter of rounding.
  private static let tolerance = 0.03

  /// The cells of a box for a picture of `declared` that one of this size takes: the whole box
  /// where the proportions are those, else as many as fit with its own.
  func fitted(into box: Size, declaredAs declared: PixelSize) -> Size {
    guard !box.isEmpty else { return box }
    let (own, told) = (proportion, declared.proportion)
    guard abs(own / told - 1) > Self.tolerance else { return box }
    // The box has what was declared, rounded and within its limits: that is what is shrunk.
    let share = own / told
    let width = share > 1 ? Double(box.width) / share : Double(box.width)
    let height = share > 1 ? Double(box.height) : Double(box.height) * share
    return Size(
      width: max(1, min(box.width, Int(width.rounded()))),
      height: max(1, min(box.height, Int(height.rounded()))))
  }

  /// Height for each of the width.
  private var proportion: Double { Double(max(1, height)) / Double(max(1, width)) }
}

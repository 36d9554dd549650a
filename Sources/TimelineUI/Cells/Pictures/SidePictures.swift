import ConstraintLayout
import TerminalViews

/// Pictures in a column beside the text, if a cell is wide enough for both; else they stand below
/// the text, or in it.
///
///     title                              ┌ picture 0 ┐
///     text, as wide as the reader        └───────────┘
///     wants it, from the first part      caption 0
///     to the last                        ┌ picture 1 ┐
///     footer                             …
///
/// 1. They are those whose place in the text matters little: one in the text, without a caption
///    there, or one or two that are attached. Several in the text stay in the text.
/// 2. The first begins below the name, the second below the first. So a place does not depend on a
///    picture's own size, nor on that of one below it: one that arrives moves no text.
/// 3. They are at most a third of the screen high, so that short posts stay low.
@MainActor final class SidePictures {
  /// The columns between text and pictures.
  private static let gap = 2
  /// The least columns for pictures beside the text.
  private static let narrowest = 32
  /// The most columns that a list gives rows beside their text.
  static let widest = 60

  private var stacked: [LayoutConstraint] = []
  private var beside: [LayoutConstraint] = []
  private var indents: [LayoutConstraint] = []
  private var captionWidths: [LayoutConstraint] = []
  /// The constraints of the space above each picture.
  private var gaps: [LayoutConstraint] = []
  private(set) var isBeside = false

  /// The columns for pictures beside a text of `textWidth`; `nil` if there are too few.
  static func columns(of columns: Int, textWidth: Int) -> Int? {
    let room = columns - textWidth - gap
    return room >= narrowest ? min(room, widest - gap) : nil
  }

  /// Whether a cell of this shape may have them.
  static func areUsed(in shape: PostCell.Shape) -> Bool {
    shape.tiledCount == 0 && shape.pictureCount > 0
      && (!shape.isInterleaved || shape.pictureCount == 1)
  }

  /// Adds the constraints of a picture and its caption.
  ///
  /// - Parameters:
  ///   - inText: the constraints of their places in the text.
  ///   - leader: the name, with which texts begin.
  ///   - above: the caption of the picture above; `nil` for the first.
  func add(
    _ picture: CaptionedPicture, inText: [LayoutConstraint], leader: View, above: View?
  ) {
    let (view, caption) = (picture.view, picture.caption)
    stacked += inText
    let indent = view.leading(to: leader, isActive: false)
    indents.append(indent)
    let gap = view.top(to: above ?? leader, edge: .bottom, isActive: false)
    gaps.append(gap)
    beside += [indent, caption.leading(to: view, isActive: false), gap]
    captionWidths.append(caption.width(0, relation: .lessThanOrEqual))
  }

  /// Adds the constraints of a text below pictures: those of its places in both arrangements.
  func add(textInText: LayoutConstraint, beside: LayoutConstraint) {
    stacked.append(textInText)
    self.beside.append(beside)
  }

  /// Chooses the arrangement for a width of `columns`.
  ///
  /// - Parameter areShown: whether each picture, or its caption, shows anything.
  func adapt(toColumns columns: Int, textWidth: Int, areShown: [Bool]) {
    let room = Self.columns(of: columns, textWidth: textWidth)
    for constraint in captionWidths { constraint.constant = Double(room ?? textWidth) }
    for constraint in indents { constraint.constant = Double(textWidth + Self.gap) }
    for (index, gap) in gaps.enumerated() {
      gap.constant = areShown[..<index].contains(true) ? 1 : 0
    }
    guard (room != nil) != isBeside else { return }
    isBeside = room != nil
    // Conflicting constraints are never active at once.
    for constraint in isBeside ? stacked : beside { constraint.isActive = false }
    for constraint in isBeside ? beside : stacked { constraint.isActive = true }
  }
}

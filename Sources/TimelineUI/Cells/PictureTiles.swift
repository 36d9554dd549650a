import ConstraintLayout
import Geometry
import TerminalViews

/// Attached pictures two in a row, each above its caption; below one another where there is no
/// room.
///
///     picture 0   picture 1
///     caption 0   caption 1
///     picture 2
///     caption 2
///
/// A row begins below the longer column of the row above it.
@MainActor final class PictureTiles {
  /// Columns between two that stand side by side.
  static let gap = 2
  /// Columns of text in which pictures stand side by side at least.
  static let narrowest = 40

  /// Columns of a picture beside another, where text may have so many.
  static func maximumWidth(ofText columns: Int) -> Int { (columns - gap) / 2 }

  /// Rows that a picture takes at most: two rows of them what a picture alone does.
  static func maximumHeight(screenHeight: Int) -> Int { max(3, screenHeight / 3) }

  private let pictures: [ImageView]
  private let captions: [Label]
  private var sideBySide: [LayoutConstraint] = []
  private var stacked: [LayoutConstraint] = []
  private var widths: [LayoutConstraint] = []
  private var isStacked = false
  private var textWidth = ReadingWidth.usual

  init(_ pictures: [ImageView], _ captions: [Label]) {
    (self.pictures, self.captions) = (pictures, captions)
  }

  /// Makes the constraints of a picture and its caption.
  ///
  /// - Returns: what holds the space above the picture.
  func place(_ index: Int, below text: View, alignedTo leader: View) -> [LayoutConstraint] {
    let (picture, caption) = (pictures[index], captions[index])
    picture.leading(to: caption)
    picture.trailing(to: caption, relation: .lessThanOrEqual)
    caption.top(to: picture, edge: .bottom)
    caption.trailing(offset: -1, relation: .lessThanOrEqual)
    widths.append(
      caption.width(
        Double(Self.maximumWidth(ofText: textWidth)), relation: .lessThanOrEqual))
    guard index % 2 == 1 else {
      caption.leading(to: leader)
      // All columns are as wide as those of the first row.
      if index > 0 { caption.width(to: captions[0]) }
      return index == 0
        ? [picture.top(to: text, edge: .bottom)] : below(picture, row: index / 2 - 1)
    }
    let neighbour = captions[index - 1]
    caption.width(to: neighbour)
    caption.trailing(offset: -1, priority: .defaultHigh)
    let below = picture.top(to: neighbour, edge: .bottom, isActive: false)
    sideBySide += [
      caption.leading(to: neighbour, edge: .trailing, offset: Double(Self.gap)),
      picture.top(to: pictures[index - 1]),
    ]
    stacked += [caption.leading(to: neighbour, isActive: false), below]
    return [below]
  }

  /// What holds the space between the last row and what follows it.
  func below(_ view: View) -> [LayoutConstraint] { below(view, row: (captions.count - 1) / 2) }

  private func below(_ view: View, row: Int) -> [LayoutConstraint] {
    let above = captions[(row * 2)..<min(row * 2 + 2, captions.count)]
    guard above.count > 1 else { return above.map { view.top(to: $0, edge: .bottom) } }
    return above.map { view.top(to: $0, edge: .bottom, relation: .greaterThanOrEqual) }
      + above.prefix(1).map { view.top(to: $0, edge: .bottom, priority: .fittingSizeLevel) }
  }

  /// Chooses how they stand in so many columns.
  ///
  /// - Parameter textWidth: columns that text may have at most.
  func adapt(toColumns columns: Int, textWidth: Int) {
    let stacks = min(columns, textWidth) < Self.narrowest
    if stacks != isStacked || textWidth != self.textWidth {
      let width = stacks ? textWidth : Self.maximumWidth(ofText: textWidth)
      for constraint in widths { constraint.constant = Double(width) }
      self.textWidth = textWidth
    }
    guard stacks != isStacked else { return }
    isStacked = stacks
    // Never both at once: those that go are switched off first.
    for constraint in stacks ? sideBySide : stacked { constraint.isActive = false }
    for constraint in stacks ? stacked : sideBySide { constraint.isActive = true }
  }
}

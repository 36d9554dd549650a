import ConstraintLayout
import Geometry
import TerminalViews

/// Attached pictures in rows of two, each above its caption; in a single column if there is little
/// room.
///
///     picture 0   picture 1
///     caption 0   caption 1
///     picture 2
///     caption 2
///
/// A row begins below the longer column of the row above it.
@MainActor final class PictureTiles {
  /// The columns between two pictures in a row.
  private static let gap = 2
  /// The least columns of text in which pictures stand in rows of two.
  private static let narrowest = 40

  /// The size of a picture at most, for text that is at most `columns` wide: two rows of pictures
  /// are as high as a picture alone.
  static func maximumSize(ofText columns: Int, screenHeight: Int) -> Size {
    Size(width: maximumWidth(ofText: columns), height: max(3, screenHeight / 3))
  }

  /// The width of a picture in a row of two.
  private static func maximumWidth(ofText columns: Int) -> Int { (columns - gap) / 2 }

  private let pictures: [CaptionedPicture]
  private var sideBySide: [LayoutConstraint] = []
  private var stacked: [LayoutConstraint] = []
  private var widths: [LayoutConstraint] = []
  private var isStacked = false
  private var textWidth = ReadingWidth.usual

  init(_ pictures: [CaptionedPicture]) { self.pictures = pictures }

  /// The index of the picture whose view or caption `view` is; `nil` if there is none.
  func index(of view: View) -> Int? {
    pictures.firstIndex { $0.view === view || $0.caption === view }
  }

  /// Creates the constraints of a picture and its caption.
  ///
  /// - Returns: the constraints whose constants are the space above the picture.
  func place(_ index: Int, below text: View, alignedTo leader: View) -> [LayoutConstraint] {
    let (picture, caption) = (pictures[index].view, pictures[index].caption)
    picture.leading(to: caption)
    picture.trailing(to: caption, relation: .lessThanOrEqual)
    caption.top(to: picture, edge: .bottom)
    caption.trailing(offset: -1, relation: .lessThanOrEqual)
    widths.append(
      caption.width(
        Double(Self.maximumWidth(ofText: textWidth)), relation: .lessThanOrEqual))
    guard index % 2 == 1 else {
      caption.leading(to: leader)
      // All captions are as wide as those of the first row.
      if index > 0 { caption.width(to: pictures[0].caption) }
      return index == 0
        ? [picture.top(to: text, edge: .bottom)] : below(picture, row: index / 2 - 1)
    }
    let neighbour = pictures[index - 1].caption
    caption.width(to: neighbour)
    caption.trailing(offset: -1, priority: .defaultHigh)
    let below = picture.top(to: neighbour, edge: .bottom, isActive: false)
    sideBySide += [
      caption.leading(to: neighbour, edge: .trailing, offset: Double(Self.gap)),
      picture.top(to: pictures[index - 1].view),
    ]
    stacked += [caption.leading(to: neighbour, isActive: false), below]
    return [below]
  }

  /// The constraints whose constants are the space between the last row and the view below.
  func below(_ view: View) -> [LayoutConstraint] { below(view, row: (pictures.count - 1) / 2) }

  private func below(_ view: View, row: Int) -> [LayoutConstraint] {
    let above = pictures[(row * 2)..<min(row * 2 + 2, pictures.count)].map(\.caption)
    guard above.count > 1 else { return above.map { view.top(to: $0, edge: .bottom) } }
    return above.map { view.top(to: $0, edge: .bottom, relation: .greaterThanOrEqual) }
      + above.prefix(1).map { view.top(to: $0, edge: .bottom, priority: .fittingSizeLevel) }
  }

  /// Chooses the arrangement for a width of `columns`.
  ///
  /// - Parameter textWidth: the largest width of text.
  func adapt(toColumns columns: Int, textWidth: Int) {
    let stacks = min(columns, textWidth) < Self.narrowest
    if stacks != isStacked || textWidth != self.textWidth {
      let width = stacks ? textWidth : Self.maximumWidth(ofText: textWidth)
      for constraint in widths { constraint.constant = Double(width) }
      self.textWidth = textWidth
    }
    guard stacks != isStacked else { return }
    isStacked = stacks
    // Conflicting constraints are never active at once.
    for constraint in stacks ? sideBySide : stacked { constraint.isActive = false }
    for constraint in stacks ? stacked : sideBySide { constraint.isActive = true }
  }
}

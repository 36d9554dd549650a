import ConstraintLayout

/// The measured cell as items and anchors, for what the layout engine adds to the solver.
@MainActor final class PictureCell: LayoutItem {
  final class Text: LayoutItem {
    var rows = 0 { didSet { if rows != oldValue { invalidateIntrinsicContentSize() } } }
    override func intrinsicHeight(forWidth width: Int) -> Int? { rows }
  }

  let icon = LayoutItem(name: "icon")
  let title = Text(name: "title")
  let comment = Text(name: "comment")
  let picture = LayoutItem(name: "picture")
  let time = LayoutItem(name: "time")
  private var pictureHeight: LayoutConstraint?

  init() {
    super.init(name: "cell")
    for item in [icon, title, comment, picture, time] { addSubitem(item) }
    icon.leading(offset: 1)
    icon.top(offset: 1)
    icon.width(to: self, multiplier: 0.25)
    icon.aspectRatio(1, priority: .defaultHigh)
    for text in [title, comment, time] {
      text.leading(to: icon, edge: .trailing, offset: 1)
      text.trailing(offset: -1)
    }
    title.top(to: icon)
    comment.top(to: title, edge: .bottom)
    picture.leading(to: title)
    picture.top(to: comment, edge: .bottom, offset: 1)
    picture.width(40)
    picture.trailing(relation: .lessThanOrEqual)
    pictureHeight = picture.height(10)
    time.top(to: picture, edge: .bottom)
    time.height(1)
    bottom(to: icon, offset: 1, relation: .greaterThanOrEqual)
    bottom(to: time, offset: 1, relation: .greaterThanOrEqual)
  }

  /// Shows another post: two texts and a picture's height.
  func show(title rows: Int, comment commentRows: Int, picture height: Double) {
    title.rows = rows
    comment.rows = commentRows
    pictureHeight?.constant = height
    layoutIfNeeded(width: 80)
  }
}

/// So many of the cells below each other in one tree.
@MainActor final class PictureStack: LayoutItem {
  private let cells: [PictureCell]

  init(cells count: Int) {
    cells = (0..<count).map { _ in PictureCell() }
    super.init(name: "stack")
    for cell in cells { addSubitem(cell) }
    for (index, cell) in cells.enumerated() {
      cell.leading()
      cell.trailing()
      if index == 0 { cell.top() } else { cell.top(to: cells[index - 1], edge: .bottom) }
    }
    if let last = cells.last { bottom(to: last) }
  }

  /// Shows another post in the middle one.
  func show(_ step: Int) {
    cells[cells.count / 2].show(title: 1 + step % 2, comment: 1 + step % 5, picture: 10)
  }
}

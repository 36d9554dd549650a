import ConstraintLayout
import Geometry

/// Text of a known length in one-column letters, wrapped at any column.
@MainActor final class TextItem: LayoutItem {
  var letters = 0 { didSet { invalidateIntrinsicContentSize() } }
  var askedForHeights = 0

  override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: Double(letters)) }

  override func intrinsicHeight(forWidth width: Int) -> Int? {
    askedForHeights += 1
    return width > 0 ? (letters + width - 1) / width : 0
  }
}

/// Icon left, text right of it, the bottom held by whichever reaches lower, by switching two
/// constraints after layout.
@MainActor final class PostCell: LayoutItem {
  let icon = LayoutItem(name: "icon")
  let label = TextItem(name: "label")
  private(set) var iconBottom: LayoutConstraint
  private(set) var labelBottom: LayoutConstraint
  var hookCalls = 0

  init() {
    iconBottom = icon.bottomAnchor.constraint(equalTo: label.bottomAnchor)
    labelBottom = iconBottom
    super.init(name: "cell")
    addSubitem(icon)
    addSubitem(label)
    iconBottom = bottomAnchor.constraint(equalTo: icon.bottomAnchor, constant: 1)
      .withPriority(.defaultHigh)
    labelBottom = bottomAnchor.constraint(equalTo: label.bottomAnchor, constant: 1)
      .withPriority(.defaultHigh)
    icon.top(offset: 1)
    icon.leading(offset: 1)
    icon.width(to: self, multiplier: 0.25)
    icon.aspectRatio(1)
    LayoutConstraint.activate([
      label.topAnchor.constraint(equalTo: icon.topAnchor),
      label.leadingAnchor.constraint(equalTo: icon.trailingAnchor, constant: 1),
      label.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -1),
      labelBottom,
    ])
  }

  override func layoutSubitems() {
    hookCalls += 1
    let isIconLower = icon.frame.maxY > label.frame.maxY
    if isIconLower {
      labelBottom.isActive = false
      iconBottom.isActive = true
    } else {
      iconBottom.isActive = false
      labelBottom.isActive = true
    }
  }
}

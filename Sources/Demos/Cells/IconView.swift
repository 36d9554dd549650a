import ConstraintLayout
import TerminalViews

/// A view that its picture fills; its constraints give it its size.
@MainActor final class IconView: View {
  let picture = ImageView(name: "icon picture", followsPicture: false)

  override init(name: String = "") {
    super.init(name: name)
    addSubview(picture)
    picture.edgesToSuperview()
  }
}

import ConstraintLayout
import TerminalViews

/// A view filled by its picture; constraints set its size.
@MainActor final class IconView: View {
  let picture = ImageView(name: "icon picture", followsPicture: false)

  override init(name: String = "") {
    super.init(name: name)
    addSubview(picture)
    picture.edgesToSuperview()
  }
}

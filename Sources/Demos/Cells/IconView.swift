import ConstraintLayout
import TerminalViews

/// A view that its picture fills; its constraints give it its size.
@MainActor final class IconView: BaseView {
  let picture = ImageView(name: "icon picture", followsPicture: false)

  override func setUpViews() { addSubview(picture) }

  override func setUpConstraints() { picture.edgesToSuperview() }
}

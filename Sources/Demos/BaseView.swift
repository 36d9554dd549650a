import TerminalViews

/// A view made in code: the one hook sets its views up, and then their constraints.
@MainActor class BaseView: View {
  override init(name: String) {
    super.init(name: name)
    setUp()
  }

  /// Views first, so that constraints find their views in one tree.
  final func setUp() {
    setUpViews()
    setUpConstraints()
  }

  func setUpViews() {}
  func setUpConstraints() {}
}

import TerminalViews

/// What is made in code: one hook sets its views up, and then their constraints.
@MainActor protocol SetUpInCode: AnyObject {
  func setUpViews()
  func setUpConstraints()
}

extension SetUpInCode {
  /// Views first, so that constraints find their views in one tree.
  func setUp() {
    setUpViews()
    setUpConstraints()
  }
}

/// A view made in code.
@MainActor class BaseView: View, SetUpInCode {
  override init(name: String = "") {
    super.init(name: name)
    setUp()
  }

  func setUpViews() {}
  func setUpConstraints() {}
}

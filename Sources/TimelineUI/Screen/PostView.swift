/// How a timeline shows its posts; the raw values are those of `set view`.
package enum PostView: String, Hashable, Sendable, CaseIterable {
  /// Each post whole.
  case posts
  /// Each post on one line.
  case headlines

  /// The other view.
  var other: PostView { self == .posts ? .headlines : .posts }
}

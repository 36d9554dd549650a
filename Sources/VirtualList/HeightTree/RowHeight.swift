/// What is known of a row's height.
enum RowHeight: Hashable, Sendable {
  /// Nothing but the row's kind.
  case unmeasured(kind: Int)
  /// A height in lines that an earlier width or content had, expressed at the width `width`.
  case stale(height: Int, width: Int)
  /// The height in lines at the present width.
  case measured(Int)
}

/// The stored height of a row.
enum RowHeight: Hashable, Sendable {
  /// Only the row's kind is known.
  case unmeasured(kind: Int)
  /// A height in lines from an earlier width or content, expressed at `width`.
  case stale(height: Int, width: Int)
  /// The height in lines at the present width.
  case measured(Int)
}

import Feeds
import VirtualList

/// The posts of an open source, and the filter that chooses those that are shown.
@MainActor final class OpenTimeline {
  /// All posts.
  let posts: any PostSource
  let capabilities: SourceCapabilities
  /// The posts that match the filter; `nil` if all are shown.
  private(set) var filtered: FilteredPostSource?
  /// `filtered`, or else `posts`.
  private(set) var shown: any RowSource

  init(_ posts: any PostSource) {
    self.posts = posts
    capabilities = posts.capabilities
    shown = posts
  }

  /// Shows only the posts that match a query, or all. Call `observe` afterwards.
  ///
  /// - Parameter rows: the visible rows, by their numbers in the source, which are examined first.
  /// - Complexity: O(n) in the bytes of these rows
  func show(fitting query: PostQuery?, around rows: Range<Int>) {
    filtered?.detach()
    filtered = query.map { FilteredPostSource(posts, query: $0, around: rows) }
    shown = filtered ?? posts
  }

  /// Observes changes from now on.
  ///
  /// - Parameters:
  ///   - onSourceChange: called with each change of `posts`, filtered or not; first.
  ///   - onChange: called with each change of `shown`.
  ///   - mayChangeRows: asked before shown rows change.
  func observe(
    onSourceChange: @escaping (SourceChange) -> Void, onChange: @escaping (SourceChange) -> Void,
    mayChangeRows: @escaping () -> Bool
  ) {
    shown.mayChangeRows = mayChangeRows
    guard let filtered else {
      posts.onChange = { change in
        onSourceChange(change)
        onChange(change)
      }
      return
    }
    filtered.onChange = onChange
    filtered.attach(onSourceChange)
  }

  /// Stops reading; posts read so far remain.
  func stop() {
    filtered?.detach()
    posts.stop()
  }

  /// Stops reading, and reports no more changes.
  func close() {
    posts.onChange = nil
    stop()
  }

  // MARK: Rows

  // A filter's rows are all counted, and have exact numbers.
  func isStaleGuess(_ row: Int) -> Bool {
    filtered == nil && capabilities.fileRows?.isStaleGuess(row) ?? false
  }
  func isNumberExact(_ row: Int) -> Bool {
    filtered != nil || capabilities.fileRows?.isNumberExact(row) ?? true
  }
  func extent(ofRow row: Int) -> RowSizeBound? {
    capabilities.fileRows?.extent(ofRow: sourceRow(of: row))
  }

  /// Converts a shown row to its row in `posts`, and back; `nil` if the row is not shown.
  func sourceRow(of row: Int) -> Int { filtered?.baseRow(of: row) ?? row }
  func row(ofSource row: Int) -> Int? {
    guard let filtered else { return row < posts.count ? row : nil }
    return filtered.row(ofBase: row)
  }

  /// The rows of `posts` from the first to the last of some shown rows.
  func sourceRows(from rows: Range<Int>) -> Range<Int> {
    guard let first = rows.first, let last = rows.last else { return 0..<0 }
    return sourceRow(of: first)..<sourceRow(of: last) + 1
  }

  /// The shown row nearest to a row of `posts`: that row, the first below, or the last above it.
  func nearestRow(toSource row: Int) -> Int? {
    guard let filtered else { return posts.count > 0 ? max(0, min(row, posts.count - 1)) : nil }
    return filtered.nearestRow(toBase: row)
  }

  // MARK: Seeking

  /// Reads ahead until the row is known, then reports `.found`.
  ///
  /// - Returns: whether there is anything to wait for.
  func seek(_ target: SeekTarget) -> Bool {
    // A filter's rows have other numbers than those of the source.
    if filtered != nil, case .row = target { return false }
    return capabilities.seeking?.seek(target) ?? false
  }
}

import Library

/// The marks of a timeline's posts, by shown rows: a filter narrows them.
@MainActor package struct TimelineMarks {
  private let source: any MarkableSource
  private let timeline: OpenTimeline

  init(of source: any MarkableSource, in timeline: OpenTimeline) {
    (self.source, self.timeline) = (source, timeline)
  }

  /// - Precondition: `row` is in `0..<count` of the timeline.
  package func marks(ofRow row: Int) -> PostMarks {
    source.marks(ofRow: timeline.sourceRow(of: row))
  }

  /// The numbers among all known posts, whether or not they match the filter.
  package var unreadCount: Int { source.unreadCount }
  package var newCount: Int { source.newCount }
  /// The number of new posts above a row of the timeline without a filter.
  ///
  /// - Complexity: O(n) in the rows above it, or above the last new one.
  package func newCount(above row: Int) -> Int { source.newCount(above: row) }
  /// The last visit at the top of the timeline, in seconds since 1970; `nil` before the first.
  package var newSince: Double? { source.newSince }

  // MARK: Marking

  /// Marks a row.
  ///
  /// - Returns: whether it did not have the mark before.
  /// - Precondition: `row` is in `0..<count` of the timeline.
  @discardableResult package func mark(row: Int, as mark: Mark) -> Bool {
    let row = timeline.sourceRow(of: row)
    return source.mark([row..<row + 1], as: mark) > 0
  }

  /// Marks some rows; all are taken back together.
  ///
  /// - Returns: the number of rows that did not have the mark before.
  @discardableResult package func mark(rows: [Int], as mark: Mark) -> Int {
    guard !rows.isEmpty else { return 0 }
    return source.mark(rows.map(timeline.sourceRow).sorted().map { $0..<$0 + 1 }, as: mark)
  }

  /// Marks all shown rows; they are taken back together.
  ///
  /// - Returns: the number of rows that did not have the mark before.
  /// - Complexity: that of the source; with a filter also O(rows / 64 + ranges).
  package func markAll(as mark: Mark) -> Int {
    if let filtered = timeline.filtered { return source.mark(filtered.shown.ranges, as: mark) }
    let count = timeline.posts.count
    return count > 0 ? source.mark([0..<count], as: mark) : 0
  }

  /// Whether marks are kept when the program ends.
  package var areKept: Bool { source.keepsMarks }

  /// Takes the last marking back, also one of an earlier run if marks are kept.
  ///
  /// - Returns: that marking; `nil` if none is left.
  /// - Throws: `LibraryError` if it cannot be read or written; it is not taken back then.
  package func undoMarking() async throws(LibraryError) -> Marking? {
    try await source.undoMarking()
  }

  // MARK: Finding rows

  /// The nearest row below another one that has all of `marks`; −1 stands for the row above the
  /// first.
  ///
  /// - Complexity: that of the source; with a filter O(n log n) in the shown rows up to that one or
  ///   in the source's rows with these marks, whichever are fewer.
  package func row(after row: Int, having marks: PostMarks) -> Int? {
    guard let filtered = timeline.filtered else { return source.row(after: row, having: marks) }
    var base = row < 0 ? -1 : filtered.baseRow(of: row)
    // Both walks find the same row; the shorter one ends the search.
    for shown in (max(-1, row) + 1)..<max(max(-1, row) + 1, filtered.count) {
      if self.marks(ofRow: shown).isSuperset(of: marks) { return shown }
      guard let next = source.row(after: base, having: marks) else { return nil }
      if let found = filtered.row(ofBase: next) { return found }
      base = next
    }
    return nil
  }

  /// The nearest row above another one that has all of `marks`.
  ///
  /// - Complexity: as `row(after:having:)`.
  package func row(before row: Int, having marks: PostMarks) -> Int? {
    guard let filtered = timeline.filtered else { return source.row(before: row, having: marks) }
    let end = min(row, filtered.count)
    var base = end < filtered.count ? filtered.baseRow(of: end) : timeline.posts.count
    for shown in (0..<max(0, end)).reversed() {
      if self.marks(ofRow: shown).isSuperset(of: marks) { return shown }
      guard let next = source.row(before: base, having: marks) else { return nil }
      if let found = filtered.row(ofBase: next) { return found }
      base = next
    }
    return nil
  }

  // MARK: The source

  /// Remembers that the reader was at the top: nothing is new any more in the next run.
  package func recordVisit() { source.recordVisit() }

  /// Takes in what other programs have written. Call it on a key.
  package func takeInOtherChanges() { source.takeInOtherChanges() }

  /// Waits until all marks are written. Call it before the program ends.
  ///
  /// - Throws: `LibraryError` if some cannot be.
  package func finishMarking() async throws(LibraryError) { try await source.finishMarking() }

  /// Has `body` called whenever marks change; it replaces an earlier one.
  package func observe(_ body: @escaping @MainActor () -> Void) {
    source.onMarksChange = { _ in body() }
  }
}

extension TimelineStore {
  /// The marks of the posts; `nil` if the source keeps none, and before it is open.
  package var marks: TimelineMarks? {
    guard let timeline, let source = timeline.capabilities.marking else { return nil }
    return TimelineMarks(of: source, in: timeline)
  }
}

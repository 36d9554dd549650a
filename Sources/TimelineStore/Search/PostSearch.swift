import Feeds
import TextLayout

/// A search through all posts of a source, in the background.
///
/// Posts are identified by their rows in the source, whether a filter hides them or not.
@MainActor package final class PostSearch {
  /// The position of the next match.
  package enum Match: Hashable, Sendable {
    /// In this row; `wrapped` if the search has continued from the other end.
    case row(Int, wrapped: Bool)
    /// Not known yet; `onChange` is called when more is known.
    case searching
    /// There is no match.
    case none
  }

  /// The direction of a search.
  package enum Direction: Hashable, Sendable { case forward, backward }

  /// The text searched for; `nil` if there is no search.
  package private(set) var needle: TextNeedle?
  /// Called when more is known.
  package var onChange: (() -> Void)?
  private var sweep: BackgroundSearch?
  private weak var source: (any PostSource)?

  /// The number of matches after which the search pauses until more are requested.
  static let foundAtOnce = 1_000

  init() {}

  // MARK: Searching

  /// Searches for `needle` from a row of the source on, and ends any other search.
  func begin(_ needle: TextNeedle, from row: Int, _ direction: Direction) {
    guard needle != self.needle || sweep == nil else {
      sweep?.look(from: row, direction == .forward ? .forward : .backward)
      return
    }
    end()
    self.needle = needle
    let sweep = BackgroundSearch(PostQuery(phrase: needle))
    self.sweep = sweep
    sweep.limit = Self.foundAtOnce
    sweep.onPiece = { [weak self] _, _ in self?.onChange?() }
    sweep.look(from: row, direction == .forward ? .forward : .backward)
    if let source { sweep.extend(by: source) }
  }

  /// Ends the search.
  package func end() {
    sweep?.stop()
    (sweep, needle) = (nil, nil)
  }

  /// The next row with a match from `row` on, or else from the other end on.
  ///
  /// - Parameters:
  ///   - includesIt: whether `row` itself may be the match.
  ///   - isShown: whether a row may be the match.
  func match(
    from row: Int, including includesIt: Bool, _ direction: Direction,
    where isShown: (Int) -> Bool
  ) -> Match {
    guard let sweep, let source else { return .none }
    let isForward = direction == .forward
    let all = 0..<sweep.count
    let edge = isForward == includesIt ? row : row + 1
    let (above, below) = (
      (0..<max(0, edge)).clamped(to: all),
      (max(0, edge)..<max(edge, all.upperBound)).clamped(to: all)
    )
    // The row itself comes last unless it comes first.
    let rest = (isForward ? 0..<row + 1 : max(0, row)..<max(row, all.upperBound)).clamped(to: all)
    for (range, isWrapped) in [(isForward ? below : above, false), (rest, true)] {
      switch sweep.first(in: range, fromEnd: !isForward, where: isShown) {
      case .row(let found): return settled(.row(found, wrapped: isWrapped))
      case .unknown: return continueSearch(from: row, direction)
      case .none:
        // The end of the source is not known yet, and rows there come before those that wrap.
        if isForward != isWrapped, source.expectsMore {
          return continueSearch(from: row, direction)
        }
      }
    }
    return settled(.none)
  }

  private func continueSearch(from row: Int, _ direction: Direction) -> Match {
    sweep?.look(from: row, direction == .forward ? .forward : .backward)
    sweep?.limit = nil
    return .searching
  }

  private func settled(_ match: Match) -> Match {
    if let sweep, sweep.limit == nil { sweep.limit = max(Self.foundAtOnce, sweep.found.count) }
    return match
  }

  // MARK: State

  /// The number of posts found so far, and whether there are no others.
  package var found: (count: Int, isAll: Bool) {
    guard let sweep else { return (0, true) }
    return (sweep.found.count, sweep.isDone && source?.expectsMore == false)
  }

  /// The number of posts that could not be read, so that they may match.
  package var unreadableCount: Int { sweep?.unreadable.count ?? 0 }

  /// The progress of the search in percent; `nil` if it is at rest.
  package var progress: Int? {
    guard let sweep, let source, sweep.isRunning || source.expectsMore, !found.isAll else {
      return nil
    }
    return min(99, sweep.done * 100 / max(1, source.count))
  }

  /// The number of posts found so far among `rows`; among all if that is `nil`.
  ///
  /// - Complexity: O(rows / 64).
  func count(among rows: RowSet?) -> Int {
    guard let sweep else { return 0 }
    return rows.map { sweep.found.count(sharedWith: $0) } ?? sweep.found.count
  }

  /// The number of a source row among those of `rows` that are known to match, from 1; `nil` if it
  /// does not match.
  func number(ofRow row: Int, among rows: RowSet?) -> Int? {
    guard let sweep, sweep.found.contains(row) else { return nil }
    return
      (rows.map { sweep.found.count(below: row, sharedWith: $0) }
      ?? sweep.found.rank(of: row)) + 1
  }

  // MARK: The source

  /// Searches this source from now on.
  func attach(to source: (any PostSource)?) {
    self.source = source
    guard let needle, let sweep else { return }
    sweep.stop()
    self.sweep = nil
    begin(needle, from: 0, .forward)
  }

  /// Must be called when the source has changed.
  func sourceChanged(_ change: SourceChange) {
    guard let sweep, let source else { return }
    switch change {
    case .rows(let deletions, let insertions, let reloads):
      guard sweep.areAfterKnownRows(deletions, insertions) else {
        return sweep.startOver(with: source)
      }
      for row in reloads { sweep.invalidate(row) }
      sweep.extend(by: source)
    case .refreshed: sweep.startOver(with: source)
    case .state: sweep.extend(by: source)
    case .found, .reopened, .placeFound, .placeLost: break
    }
  }
}

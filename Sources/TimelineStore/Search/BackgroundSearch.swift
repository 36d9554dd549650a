import Dispatch
import Feeds
import Synchronization
import System

/// Examines the rows of a source for those that match a query, in the background. Rules:
///
/// 1. A row is examined, being examined, or neither (`pending`). `found` are the examined rows that
///    match.
/// 2. Pieces of the pending rows are taken near `origin`, in the order requested, two at a time.
///    Each ends on the main actor.
/// 3. A piece that began before rows were replaced does not count (`revision`).
/// 4. Nothing runs when nothing is pending, or while enough matches are found (`limit`).
@MainActor final class BackgroundSearch {
  /// The order in which pending rows are examined.
  enum Order: Sendable {
    /// Downward from the origin, then from the top.
    case forward
    /// Upward from the origin, then from the end.
    case backward
    /// The nearest rows first.
    case outward
  }

  let query: PostQuery
  private(set) var found = RowSet()
  /// The number of rows that can be searched.
  private(set) var count = 0
  /// The number of examined rows.
  private(set) var done = 0
  /// In order; no two ranges touch.
  private var pending: [Range<Int>] = []
  private var running: [Int: Range<Int>] = [:]
  private var nextTicket = 0
  private var revision = 0
  private var rows: (any SearchableRows)?
  /// Workers without a piece.
  private var idleWorkers: [SearchWorker] = []
  /// Incremented when `rows` is replaced: earlier workers may know less of the source.
  private var generation = 0
  private let cancellation = Cancellation()
  private var origin = 0
  private var order = Order.forward
  /// The size of the next piece, as a part of the largest one; it grows.
  private var share = smallestShare
  /// The number of matches at which the sweep pauses; `nil` for no limit.
  var limit: Int? { didSet { run() } }
  /// Called when the rows of a piece were examined.
  var onPiece: ((_ rows: Range<Int>, _ fitting: [Int]) -> Void)?

  /// The number of pieces examined at a time.
  private static let piecesAtOnce = 2
  private static let smallestShare = 1.0 / 32

  init(_ query: PostQuery) { self.query = query }

  isolated deinit { cancellation.cancel() }

  /// Whether all rows have been examined.
  var isDone: Bool { done == count }
  /// Whether a piece is being examined.
  var isRunning: Bool { !running.isEmpty }
  /// Ends the sweep for good; results of running pieces are dropped.
  func stop() {
    cancellation.cancel()
    (pending, running, onPiece) = ([], [:], nil)
    revision += 1
  }

  // MARK: Rows

  /// Adds rows up to `count`, after those that were there; `rows` are all of them.
  func extend(to count: Int, of rows: any SearchableRows) {
    let haveSamePosts = self.rows.map { rows.haveSamePosts(as: $0) } ?? true
    take(rows)
    guard haveSamePosts else { return replace(count: count, of: rows) }
    if count > self.count { add(self.count..<count) }
    self.count = max(self.count, count)
    run()
  }

  /// Adds the rows that `source` has added at its end.
  func extend(by source: any PostSource) {
    let (rows, count) = source.searchable
    if count > self.count { extend(to: count, of: rows) }
  }

  /// Examines all rows of `source` again.
  func startOver(with source: any PostSource) {
    let (rows, count) = source.searchable
    replace(count: count, of: rows)
  }

  /// Whether these changes leave all rows known so far in their places.
  func areAfterKnownRows(_ deletions: [Range<Int>], _ insertions: [Range<Int>]) -> Bool {
    deletions.allSatisfy { $0.clamped(to: 0..<count).isEmpty }
      && insertions.allSatisfy { $0.isEmpty || $0.lowerBound >= count }
  }

  /// Examines a row with new contents again; the result of a running piece with it is dropped.
  func invalidate(_ row: Int) {
    guard row < count else { return }
    found.remove(row)
    let isUnderWay = running.values.contains { $0.contains(row) }
    guard !isUnderWay else {
      // The whole piece is examined again.
      for (ticket, piece) in running where piece.contains(row) {
        running[ticket] = nil
        add(piece)
      }
      return run()
    }
    guard !pending.contains(where: { $0.contains(row) }) else { return }
    done -= 1
    add(row..<row + 1)
    run()
  }

  /// Replaces the rows. `isFitting` returns whether an examined row matches, `nil` for all others.
  func replace(
    count: Int, of rows: any SearchableRows, isFitting: (Int) -> Bool? = { _ in nil }
  ) {
    revision += 1
    (pending, running, found) = ([], [:], RowSet())
    (self.count, done) = (count, 0)
    take(rows)
    for row in 0..<count {
      guard let fits = isFitting(row) else {
        if let last = pending.last, last.upperBound == row {
          pending[pending.count - 1] = last.lowerBound..<row + 1
        } else {
          pending.append(row..<row + 1)
        }
        continue
      }
      if fits { found.insert(row) }
      done += 1
    }
    run()
  }

  private func take(_ rows: any SearchableRows) {
    self.rows = rows
    idleWorkers = []
    generation += 1
  }

  /// Sets the results of pending rows that the caller has examined.
  func settle(_ rows: Range<Int>, fitting: [Int]) {
    let parts = pending.map { $0.clamped(to: rows) }.filter { !$0.isEmpty }
    for part in parts {
      guard let index = pending.firstIndex(where: { $0.contains(part.lowerBound) }) else {
        continue
      }
      let whole = pending[index]
      let rest = [whole.lowerBound..<part.lowerBound, part.upperBound..<whole.upperBound]
      pending.replaceSubrange(index...index, with: rest.filter { !$0.isEmpty })
      done += part.count
      for row in fitting where part.contains(row) { found.insert(row) }
    }
  }

  /// Sets the result of an examined row.
  func set(_ row: Int, fits: Bool) {
    if fits { found.insert(row) } else { found.remove(row) }
  }

  private func add(_ rows: Range<Int>) {
    let index = pending.firstIndex { $0.lowerBound > rows.lowerBound } ?? pending.count
    pending.insert(rows, at: index)
    if index + 1 < pending.count, pending[index].upperBound == pending[index + 1].lowerBound {
      pending[index] = pending[index].lowerBound..<pending[index + 1].upperBound
      pending.remove(at: index + 1)
    }
    if index > 0, pending[index - 1].upperBound == pending[index].lowerBound {
      pending[index - 1] = pending[index - 1].lowerBound..<pending[index].upperBound
      pending.remove(at: index)
    }
  }

  // MARK: Results

  /// Whether a range has rows that are not examined yet. - Complexity: O(ranges of pending rows)
  func isOpen(_ rows: Range<Int>) -> Bool {
    let overlaps = { (other: Range<Int>) in !other.clamped(to: rows).isEmpty }
    return pending.contains(where: overlaps) || running.values.contains(where: overlaps)
  }

  /// The next match, as far as it is known.
  enum NextMatch: Hashable {
    case row(Int)
    /// Rows before the next known match are not examined yet.
    case unknown
    case none
  }

  /// The first match in `range` that is accepted, or the last.
  ///
  /// - Complexity: O(members that are not accepted + log rows)
  func first(
    in range: Range<Int>, fromEnd: Bool, where isAccepted: (Int) -> Bool = { _ in true }
  ) -> NextMatch {
    var place = fromEnd ? range.upperBound : range.lowerBound
    var next: Int?
    while true {
      next = fromEnd ? found.last(before: place) : found.first(from: place)
      guard let row = next, range.contains(row), !isAccepted(row) else { break }
      place = fromEnd ? row : row + 1
    }
    if let row = next, !range.contains(row) { next = nil }
    let before =
      next.map { fromEnd ? $0..<range.upperBound : range.lowerBound..<$0 } ?? range
    if isOpen(before) { return .unknown }
    return next.map { .row($0) } ?? .none
  }

  // MARK: Running

  /// Examines rows near `origin` first from now on.
  func look(from origin: Int, _ order: Order) {
    (self.origin, self.order, share) = (origin, order, Self.smallestShare)
    run()
  }

  private func run() {
    while running.count < Self.piecesAtOnce, found.count < limit ?? .max, let rows,
      let piece = nextPiece(of: rows)
    {
      begin(piece, of: rows)
    }
  }

  /// Removes the next piece from the pending rows.
  private func nextPiece(of rows: any SearchableRows) -> Range<Int>? {
    guard !pending.isEmpty else { return nil }
    let below = pending.firstIndex { $0.upperBound > origin }
    let above = pending.lastIndex { $0.lowerBound < origin }
    let index: Int
    let fromEnd: Bool
    switch order {
    case .forward: (index, fromEnd) = (below ?? 0, false)
    case .backward: (index, fromEnd) = (above ?? pending.count - 1, true)
    case .outward:
      let down = below.map { max(0, pending[$0].lowerBound - origin) } ?? .max
      let up = above.map { max(0, origin - pending[$0].upperBound) } ?? .max
      fromEnd = up < down
      index = (fromEnd ? above : below) ?? 0
    }
    var range = pending[index]
    // A range around the origin is examined from the origin on.
    if range.lowerBound < origin, range.upperBound > origin {
      range = fromEnd ? range.lowerBound..<origin : origin..<range.upperBound
    }
    let piece = rows.piece(of: range, fromEnd: fromEnd, share: share).clamped(to: range)
    share = min(1, share * 1.5)
    let whole = pending[index]
    let rest = [whole.lowerBound..<piece.lowerBound, piece.upperBound..<whole.upperBound]
    pending.replaceSubrange(index...index, with: rest.filter { !$0.isEmpty })
    return piece
  }

  private func begin(_ piece: Range<Int>, of rows: any SearchableRows) {
    let ticket = nextTicket
    nextTicket += 1
    running[ticket] = piece
    let (query, revision, generation) = (query, revision, generation)
    let cancellation = cancellation
    let idle = idleWorkers.popLast()
    WorkerThreads.searches.run { [weak self] in
      var worker = idle ?? SearchWorker(query, for: rows)
      let fitting = rows.fitting(&worker, in: piece) { cancellation.isCancelled }
      guard !cancellation.isCancelled else { return }
      let used = worker
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self?.end(ticket, fitting, generation == self?.generation ? used : nil, revision)
        }
      }
    }
  }

  private func end(_ ticket: Int, _ fitting: [Int], _ worker: SearchWorker?, _ revision: Int) {
    guard revision == self.revision, !cancellation.isCancelled else { return }
    guard let piece = running.removeValue(forKey: ticket) else { return run() }
    if let worker, idleWorkers.count < Self.piecesAtOnce { idleWorkers.append(worker) }
    for row in fitting { found.insert(row) }
    done += piece.count
    run()
    onPiece?(piece, fitting)
  }

  /// The invariants that are broken. - Complexity: O(rows)
  func brokenInvariants() -> [String] {
    var broken = found.brokenInvariants()
    let open = pending + running.values
    for (one, other) in zip(pending, pending.dropFirst()) where one.upperBound >= other.lowerBound {
      broken.append("pending \(one) and \(other) touch")
    }
    if done + open.reduce(0, { $0 + $1.count }) != count {
      broken.append("\(done) rows done of \(count), and \(open) not")
    }
    for range in open where found.first(from: range.lowerBound).map(range.contains) == true {
      broken.append("a row of \(range) was found before it was looked at")
    }
    return broken
  }
}

/// A flag by which threads are stopped.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

import Dispatch
import Feeds
import Synchronization
import System

/// Examines the rows of a source for those that match a query, in the background. Rules:
///
/// 1. A row is examined, being examined (`running`), or neither (`pending`). `found` are the
///    examined rows that match, `unreadable` those that could not be read.
/// 2. Pieces of the pending rows are examined two at a time. Each ends on the main actor.
/// 3. A piece whose rows were replaced is no longer `running`, and does not count.
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
  /// The examined rows that could not be read.
  private(set) var unreadable = RowSet()
  /// The number of rows that can be searched.
  private(set) var count = 0
  /// The number of examined rows.
  private(set) var done = 0
  private var pending = SearchQueue()
  private var running = RunningPieces()
  private var rows: (any SearchableRows)?
  private var workers = IdleWorkers()
  private let cancellation = Cancellation()
  /// The number of matches at which the sweep pauses; `nil` for no limit.
  var limit: Int? { didSet { run() } }
  /// Called when the rows of a piece were examined.
  var onPiece: ((_ rows: Range<Int>, _ fitting: [Int]) -> Void)?

  /// The number of pieces examined at a time.
  private static let piecesAtOnce = 2

  init(_ query: PostQuery) { self.query = query }

  isolated deinit { cancellation.cancel() }

  /// Whether all rows have been examined.
  var isDone: Bool { done == count }
  /// Whether a piece is being examined.
  var isRunning: Bool { !running.pieces.isEmpty }
  /// Ends the sweep for good; results of running pieces are dropped.
  func stop() {
    cancellation.cancel()
    pending.removeAll()
    running.removeAll()
    onPiece = nil
  }

  // MARK: Rows

  /// Adds rows up to `count`, after those that were there; `rows` are all of them.
  func extend(to count: Int, of rows: any SearchableRows) {
    let haveSamePosts = self.rows.map { rows.haveSamePosts(as: $0) } ?? true
    take(rows)
    guard haveSamePosts else { return replace(count: count, of: rows) }
    if count > self.count { pending.add(self.count..<count) }
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
    unreadable.remove(row)
    if let piece = running.cancelPiece(with: row) {
      // The whole piece is examined again.
      pending.add(piece)
      return run()
    }
    guard !pending.overlaps(row..<row + 1) else { return }
    done -= 1
    pending.add(row..<row + 1)
    run()
  }

  /// Replaces the rows. `isFitting` returns whether an examined row matches, `nil` for all others.
  func replace(
    count: Int, of rows: any SearchableRows, isFitting: (Int) -> Bool? = { _ in nil }
  ) {
    pending.removeAll()
    running.removeAll()
    (found, unreadable) = (RowSet(), RowSet())
    (self.count, done) = (count, 0)
    take(rows)
    for row in 0..<count {
      guard let fits = isFitting(row) else {
        pending.add(row..<row + 1)
        continue
      }
      if fits { found.insert(row) }
      done += 1
    }
    run()
  }

  private func take(_ rows: any SearchableRows) {
    self.rows = rows
    workers.discard()
  }

  /// Sets the result of a pending row that the caller has examined.
  func settle(_ row: Int, fits: Bool) {
    guard !pending.remove(row..<row + 1).isEmpty else { return }
    done += 1
    if fits { found.insert(row) }
  }

  /// Sets the result of an examined row.
  func set(_ row: Int, fits: Bool) {
    unreadable.remove(row)
    if fits { found.insert(row) } else { found.remove(row) }
  }

  // MARK: Results

  /// Whether a range has rows that are not examined yet. - Complexity: O(ranges of pending rows)
  func isOpen(_ rows: Range<Int>) -> Bool {
    pending.overlaps(rows) || running.pieces.contains { $0.overlaps(rows) }
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
  /// - Complexity: O(rows / 4096) for each member that is not accepted, and O(ranges of pending
  ///   rows)
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
    pending.look(from: origin, order)
    run()
  }

  private func run() {
    while running.pieces.count < Self.piecesAtOnce, found.count < limit ?? .max, let rows,
      let piece = pending.next(of: rows)
    {
      begin(piece, of: rows)
    }
  }

  private func begin(_ piece: Range<Int>, of rows: any SearchableRows) {
    let ticket = running.add(piece)
    let (query, cancellation) = (query, cancellation)
    let (idle, generation) = (workers.take(), workers.generation)
    WorkerThreads.searches.run { [weak self] in
      var worker = idle ?? SearchWorker(query, for: rows)
      let results = rows.search(piece, with: &worker) { cancellation.isCancelled }
      guard !cancellation.isCancelled else { return }
      let used = worker
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self?.end(ticket, results, used, generation)
        }
      }
    }
  }

  private func end(
    _ ticket: Int, _ results: SearchedRows, _ worker: SearchWorker, _ generation: Int
  ) {
    guard !cancellation.isCancelled else { return }
    guard let piece = running.remove(ticket) else { return run() }
    workers.putBack(worker, of: generation, atMost: Self.piecesAtOnce)
    for row in results.fitting { found.insert(row) }
    for row in results.unreadable { unreadable.insert(row) }
    done += piece.count
    run()
    onPiece?(piece, results.fitting)
  }

  /// The invariants that are broken. - Complexity: O(rows)
  func brokenInvariants() -> [String] {
    var broken = found.brokenInvariants()
    let open = pending.ranges + running.pieces
    for (one, other) in zip(pending.ranges, pending.ranges.dropFirst())
    where one.upperBound >= other.lowerBound {
      broken.append("pending \(one) and \(other) touch")
    }
    if done + open.reduce(0, { $0 + $1.count }) != count {
      broken.append("\(done) rows done of \(count), and \(open) not")
    }
    for (rows, name) in [(found, "found"), (unreadable, "unreadable")] {
      for range in open where rows.first(from: range.lowerBound).map(range.contains) == true {
        broken.append("a row of \(range) is \(name) and not examined")
      }
    }
    if found.count(sharedWith: unreadable) > 0 { broken.append("unreadable rows match") }
    return broken
  }
}

/// The pieces being examined, by their tickets, which are given once; they do not overlap.
private struct RunningPieces {
  private var byTicket: [Int: Range<Int>] = [:]
  private var nextTicket = 0

  var pieces: some Collection<Range<Int>> { byTicket.values }

  mutating func add(_ piece: Range<Int>) -> Int {
    defer { nextTicket += 1 }
    byTicket[nextTicket] = piece
    return nextTicket
  }

  /// - Returns: `nil` if the piece was cancelled.
  mutating func remove(_ ticket: Int) -> Range<Int>? { byTicket.removeValue(forKey: ticket) }

  /// Removes the piece that contains `row`; its result is dropped.
  mutating func cancelPiece(with row: Int) -> Range<Int>? {
    guard let ticket = byTicket.first(where: { $0.value.contains(row) })?.key else { return nil }
    return byTicket.removeValue(forKey: ticket)
  }

  mutating func removeAll() { byTicket = [:] }
}

/// The workers of a search without a piece.
private struct IdleWorkers {
  private var workers: [SearchWorker] = []
  /// Incremented when the rows are replaced: earlier workers may know less of the source.
  private(set) var generation = 0

  mutating func take() -> SearchWorker? { workers.popLast() }

  mutating func putBack(_ worker: SearchWorker, of generation: Int, atMost count: Int) {
    if generation == self.generation, workers.count < count { workers.append(worker) }
  }

  mutating func discard() {
    workers = []
    generation += 1
  }
}

/// A flag by which threads are stopped.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

import Dispatch
import Feeds
import Synchronization
import System

/// Looks through the rows of a source for those that fit a query, in the background. Rules:
///
/// 1. A row is looked at, or being looked at, or neither (`pending`). `found` are those looked at
///    that fit.
/// 2. Pieces of what is pending are taken near `origin`, in the direction that is asked for; two at
///    a time. Each ends on the main actor.
/// 3. A piece that was begun before rows changed counts only as far as they did not (`revision`).
/// 4. Nothing runs when nothing is pending, or while enough was found (`limit`).
@MainActor final class RowSweep {
  /// Which of the pending rows come first.
  enum Order: Sendable {
    /// Downward from the origin, then from the top.
    case forward
    /// Upward from the origin, then from the end.
    case backward
    /// The nearest ones.
    case outward
  }

  let query: PostQuery
  private(set) var found = RowSet()
  /// Rows there are, as far as they can be looked through.
  private(set) var count = 0
  /// Rows that are looked at.
  private(set) var done = 0
  /// In order, none touching another.
  private var pending: [Range<Int>] = []
  private var running: [Int: Range<Int>] = [:]
  private var nextTicket = 0
  private var revision = 0
  private var rows: (any SearchableRows)?
  /// Workers that wait for a piece.
  private var idleWorkers: [SearchWorker] = []
  /// Counts how often `rows` were others: workers of before may know less of the source.
  private var generation = 0
  private let cancellation = Cancellation()
  private var origin = 0
  private var order = Order.forward
  /// How large pieces are: they grow.
  private var share = smallestShare
  /// It stops for now when so many fit; nil for no end.
  var limit: Int? { didSet { run() } }
  /// Rows of a piece were looked at, of which these fit.
  var onPiece: ((_ rows: Range<Int>, _ fitting: [Int]) -> Void)?

  /// Pieces looked through at a time.
  private static let piecesAtOnce = 2
  private static let smallestShare = 1.0 / 32

  init(_ query: PostQuery) { self.query = query }

  isolated deinit { cancellation.cancel() }

  /// Whether all rows there are have been looked at.
  var isDone: Bool { done == count }
  /// Whether it is at work.
  var isRunning: Bool { !running.isEmpty }
  /// Ended for good: pieces under way come to nothing.
  func stop() {
    cancellation.cancel()
    (pending, running, onPiece) = ([], [:], nil)
    revision += 1
  }

  // MARK: Rows

  /// There are `count` rows now, the first of which are those there were; `rows` are all of them.
  func extend(to count: Int, of rows: any SearchableRows) {
    let areRead = self.rows.map { rows.areRead(as: $0) } ?? true
    take(rows)
    guard areRead else { return replace(count: count, of: rows) }
    if count > self.count { add(self.count..<count) }
    self.count = max(self.count, count)
    run()
  }

  /// Takes in rows that `source` has got behind those there were.
  func extend(by source: any PostSource) {
    let (rows, count) = source.searchable
    if count > self.count { extend(to: count, of: rows) }
  }

  /// Looks at all rows of `source` again.
  func startOver(with source: any PostSource) {
    let (rows, count) = source.searchable
    replace(count: count, of: rows)
  }

  /// Whether these changes leave the rows there are where they were.
  func areBehind(_ deletions: [Range<Int>], _ insertions: [Range<Int>]) -> Bool {
    deletions.allSatisfy { $0.clamped(to: 0..<count).isEmpty }
      && insertions.allSatisfy { $0.isEmpty || $0.lowerBound >= count }
  }

  /// A row has another content. What is under way with it comes to nothing.
  func invalidate(_ row: Int) {
    guard row < count else { return }
    found.remove(row)
    let isUnderWay = running.values.contains { $0.contains(row) }
    guard !isUnderWay else {
      // That piece is looked through again.
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

  /// The rows are others: `isFitting` says of those that were looked at whether they fit, nil of
  /// all others.
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

  /// Says of rows that are pending, and were looked at by somebody else, which of them fit.
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

  /// Says of a row that was looked at whether it fits now.
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

  // MARK: What is known

  /// Whether rows of a range are not looked at yet. - Complexity: O(ranges of pending rows)
  func isOpen(_ rows: Range<Int>) -> Bool {
    let overlaps = { (other: Range<Int>) in !other.clamped(to: rows).isEmpty }
    return pending.contains(where: overlaps) || running.values.contains(where: overlaps)
  }

  /// What is known of the next row that fits.
  enum Neighbour: Hashable {
    case row(Int)
    /// Rows before the next one that is known are not looked at yet.
    case unknown
    case none
  }

  /// The first row of `range` that fits and is accepted, or the last.
  ///
  /// - Complexity: O(members that are not accepted + log rows)
  func first(
    in range: Range<Int>, fromEnd: Bool, where isAccepted: (Int) -> Bool = { _ in true }
  ) -> Neighbour {
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

  // MARK: At work

  /// Has rows near `origin` come first from now on.
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

  /// Takes the piece that comes next out of what is pending.
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
    // A range around the origin is looked through from there.
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

  /// What must hold at all times, in words; empty where it does. - Complexity: O(rows)
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

/// Tells threads to stop.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

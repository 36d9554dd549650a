import Feeds
import Library
import VirtualList

@testable import TimelineStore

/// A source that keeps marks of its posts in an array, as the port says.
@MainActor final class MarkedPosts: PostSource, MarkableSource {
  private(set) var rows = PostRows()
  private var marks: [RowID: PostMarks] = [:]
  private var log: [(mark: Mark, ids: [RowID])] = []
  /// The error of the next undo.
  var undoError: LibraryError?
  var keepsMarks = true
  private(set) var visitCount = 0
  private(set) var otherChangeCount = 0

  let info = TimelineInfo(title: "Library")
  var isComplete = true
  let activity = ""
  let message: (text: String, isError: Bool)? = nil
  let failure: SourceError? = nil
  var onChange: ((SourceChange) -> Void)?
  var mayChangeRows: () -> Bool = { true }
  var expectsMore: Bool { !isComplete }
  var newSince: Double?
  var onMarksChange: (([Range<Int>]) -> Void)?

  /// - Parameter marks: those of the posts from the first on; further posts have none.
  init(_ posts: [Post], marks: [PostMarks] = []) {
    rows.append(posts)
    for (row, mark) in zip(0..<rows.count, marks) { self.marks[rows.id(at: row)] = mark }
  }

  // MARK: PostSource

  var count: Int { rows.count }
  var searchable: (rows: any SearchableRows, count: Int) {
    (PostsInMemory(posts: rows.posts), count)
  }
  var capabilities: SourceCapabilities {
    SourceCapabilities(
      marking: self,
      context: { [weak self] row in
        self.map { MatchContext(marks: $0.marks(ofRow: row), feedNames: []) }
      })
  }
  func post(at row: Int) -> Post { rows[row] }
  func rowID(at row: Int) -> RowID { rows.id(at: row) }
  func row(of id: RowID) -> Int? { rows.row(of: id) }
  func kind(of row: Int) -> Int? { nil }
  func textLength(ofRows rows: Range<Int>) -> Int? { nil }
  func didShow(rows: Range<Int>) {}
  func start() {}
  func stop() {}

  /// Posts arrive before the others.
  func prepend(_ posts: [Post], marks: PostMarks) {
    let (new, _) = rows.refreshed(with: posts + rows.posts)
    rows = new
    for row in posts.indices { self.marks[rows.id(at: row)] = marks }
    onChange?(.rows(deletions: [], insertions: [0..<posts.count], reloads: []))
  }

  /// Posts arrive behind the others.
  func append(_ posts: [Post], marks: PostMarks, isLast: Bool) {
    let old = rows.count
    rows.append(posts)
    for row in old..<rows.count { self.marks[rows.id(at: row)] = marks }
    isComplete = isLast
    onChange?(.rows(deletions: [], insertions: [old..<rows.count], reloads: []))
  }

  // MARK: MarkableSource

  func marks(ofRow row: Int) -> PostMarks { marks[rowID(at: row)] ?? [] }

  /// The rows that have all of `marks`.
  func rows(having marks: PostMarks) -> [Int] {
    (0..<count).filter { self.marks(ofRow: $0).isSuperset(of: marks) }
  }

  var unreadCount: Int { rows(having: .unread).count }
  var newCount: Int { rows(having: .new).count }

  @discardableResult func mark(_ rows: [Range<Int>], as mark: Mark) -> Int {
    let changed = rows.joined().map(rowID(at:)).filter { set(mark, of: $0) }
    if !changed.isEmpty {
      log.append((mark, changed))
      onMarksChange?(rows)
    }
    return changed.count
  }

  private func set(_ mark: Mark, of id: RowID) -> Bool {
    let old = marks[id] ?? []
    var new = old
    switch mark {
    case .read: new.remove(.unread)
    case .unread: new.insert(.unread)
    case .saved: new.insert(.saved)
    case .unsaved: new.remove(.saved)
    }
    marks[id] = new
    return new != old
  }

  func undoMarking() async throws(LibraryError) -> Marking? {
    if let undoError { throw undoError }
    guard let last = log.popLast() else { return nil }
    for id in last.ids { _ = set(last.mark.inverse, of: id) }
    onMarksChange?([0..<count])
    return Marking(
      last.mark, ItemRanges(last.ids.map { ItemID(Int64(clamping: $0.rawValue)) }), time: 0)
  }

  func row(after row: Int, having marks: PostMarks) -> Int? {
    rows(having: marks).first { $0 > row }
  }
  func row(before row: Int, having marks: PostMarks) -> Int? {
    rows(having: marks).last { $0 < row }
  }

  func newCount(above row: Int) -> Int { (0..<row).count { marks(ofRow: $0).contains(.new) } }

  func recordVisit() { visitCount += 1 }
  func takeInOtherChanges() { otherChangeCount += 1 }

  /// Whether marks wait to be written.
  var isHeld = false { didSet { if !isHeld { releaseWaiting() } } }
  /// Why they cannot be written.
  var writeError: LibraryError?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func finishMarking() async throws(LibraryError) {
    if isHeld { await withCheckedContinuation { waiting.append($0) } }
    if let writeError { throw writeError }
  }

  private func releaseWaiting() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

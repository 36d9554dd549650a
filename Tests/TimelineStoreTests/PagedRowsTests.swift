import Feeds
import Testing
import TextLayout

@testable import TimelineStore

/// The rows of several pages: each post once, also after a refresh.
@Suite struct PagedRowsTests {
  private func posts(_ numbers: some Sequence<Int>) -> [Post] { numbers.map { .numbered($0) } }

  private func rows(_ numbers: some Sequence<Int>) -> PagedRows {
    var rows = PagedRows()
    _ = rows.append(posts(numbers))
    return rows
  }

  private func ids(_ rows: PagedRows) -> [String] { rows.rows.posts.map(\.id) }
  private func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "p\($0)" } }

  @Test func postsOnSeveralPagesAreTakenOnce() {
    var rows = rows([9, 8, 7])
    #expect(rows.append(posts([8, 7, 6])) == 1)
    #expect(rows.append(posts([9, 8, 7])) == 0)
    #expect(ids(rows) == ids([9, 8, 7, 6]))
    // Posts without an id are compared by their contents, but not within one page.
    var nameless = Post(id: "byte 3")
    nameless.body = StyledText("the same")
    #expect(rows.append([nameless, nameless]) == 2)
    nameless.id = "byte 99"
    #expect(rows.append([nameless]) == 0)
  }

  @Test func newPostsComeOnTopAndOlderPagesStay() {
    let (new, change) = rows(1...9).refreshed(with: posts([20, 21, 1, 2, 3]), ending: .met)
    #expect(ids(new) == ids([20, 21, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
    #expect(change.text == "2 new")
    #expect(new.rows.id(at: 2) == rows(1...9).rows.id(at: 0))
  }

  /// A copy of very many posts would take as much memory again.
  @Test func postsThatWereAllReadAgainAreNotCopied() {
    let fresh = posts(0...9)
    let (new, _) = rows(1...9).refreshed(with: fresh, ending: .met)
    let places = [fresh, new.rows.posts].map { $0.withUnsafeBufferPointer { $0.baseAddress } }
    #expect(new.count == 10 && places[0] == places[1])
  }

  @Test func changedAndMissingPostsAreReported() {
    var page = posts([10, 1, 3, 4])
    page[2].body = StyledText("edited")
    let (new, change) = rows(1...9).refreshed(with: page, ending: .met)
    #expect(ids(new) == ids([10, 1, 3, 4, 5, 6, 7, 8, 9]))
    #expect(change.text == "1 new, 1 changed, 1 gone")
  }

  @Test func anyNumberOfDatedPostsMayBeGone() {
    let (new, change) = rows((1...90).reversed()).refreshed(with: posts([91, 3]), ending: .met)
    #expect(ids(new) == ids([91, 3, 2, 1]))
    #expect(change.text == "1 new, 87 gone")
  }

  @Test func reorderedPostsAreNotTakenForGone() {
    let (moved, _) = rows(1...9).refreshed(with: posts([8, 1, 2]), ending: .met)
    #expect(ids(moved) == ids([8, 1, 2, 3, 4, 5, 6, 7, 9]))
    let (far, _) = rows(1...90).refreshed(with: posts([91, 80]), ending: .met)
    #expect(ids(far) == ids([91, 80] + Array(1...79) + Array(81...90)))
  }

  @Test func aPinnedPostDoesNotHideAGap() {
    let rows = rows([1, 90, 80, 70])
    #expect(!rows.meets(posts([1, 99, 98])))
    #expect(rows.meets(posts([1, 99, 98, 90])))
    // Posts older than the row that follows will come with an older page.
    #expect(rows.meets(posts([1, 90, 80, 60, 50])))
    #expect(!rows.meets(posts([99, 98])))
    var undated = PagedRows()
    _ = undated.append([Post(id: "pin"), Post(id: "a"), Post(id: "b")])
    #expect(!undated.meets([Post(id: "pin"), Post(id: "new"), Post(id: "newer")]))
    #expect(undated.meets([Post(id: "pin"), Post(id: "a"), Post(id: "z")]))
  }

  @Test func aGapIsMarkedUntilItIsFilled() {
    let (gap, change) = rows(1...3).refreshed(with: posts([20, 19]), ending: .gap)
    #expect(ids(gap).count == 6 && change.added == 3)
    #expect(gap.rows[2].damage?.contains("missing here") == true)
    #expect(gap.rows[2].isDamageOnly)
    let over = posts([21, 20, 19, 18, 17, 1, 2])
    #expect(gap.meets(over))
    let (closed, _) = gap.refreshed(with: over, ending: .met)
    #expect(ids(closed) == ids([21, 20, 19, 18, 17, 1, 2, 3]))
  }
}

extension Post {
  fileprivate var isDamageOnly: Bool { damage != nil && body.isEmpty && title.isEmpty }
}

import Feeds
import Geometry
import ImageLoading
import Pictures
import Synchronization
import TerminalViews
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineStore
@testable import TimelineUI

/// The posts of a timeline on a list: what they can do, and what the content asks of its screen.
@MainActor @Suite struct PostListContentTests {
  /// A timeline on a list without a screen.
  @MainActor final class Shown {
    let store: TimelineStore
    let content: PostListContent
    let list = ListView(name: "list")
    private(set) var effects: [ListEffect] = []

    init(_ shelf: Shelf, at place: RememberedPlace? = nil) async throws {
      store = TimelineStore(reader: ShelfReader(shelf), isImmediate: true)
      try await store.open()
      let pictures = PictureStore(
        loader: ImageLoader(
          configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
          decoder: ColoredDecoder()),
        depth: .none)
      content = PostListContent(
        store: store, source: "posts", pictures: pictures, clock: .fixed(at: 0), place: place)
      list.dataSource = content
      list.delegate = content
      content.attach(to: list) { [weak self] in self?.effects.append($0) }
    }

    func wait(until condition: () -> Bool) async {
      await eventually { condition() }
    }

    var messages: [String] {
      effects.compactMap { if case .tell(let text) = $0 { text } else { nil } }
    }
  }

  private func posts(_ numbers: some Sequence<Int>) -> [Post] { numbers.map { .numbered($0) } }

  @Test func onlyARequestedReloadIsReported() async throws {
    let shelf = Shelf(posts(1...3))
    let shown = try await Shown(shelf)
    await shown.wait { shown.store.isReloadable }
    shelf.posts.withLock { $0 = posts(1...5) }
    #expect(shown.store.reload())
    await shown.wait { shown.store.count == 5 && !shown.store.isReloading }
    #expect(shown.messages.isEmpty)
    shelf.posts.withLock { $0 = posts(0...5) }
    #expect(shown.content.reload())
    await shown.wait { !shown.store.isReloading }
    #expect(shown.messages == ["1 new"] && shown.list.numberOfRows == 6)
    shown.store.stop()
  }

  /// Only posts between the first line and the selected post make the list scroll to that.
  @Test(arguments: [
    (added: [1, 2, 3, 4], shows: false), (added: [0, 1, 2, 3], shows: false),
    (added: [1, 4, 2, 3], shows: true),
  ])
  func theSelectionIsShownAfterInsertionsAboveIt(_ reload: (added: [Int], shows: Bool)) async throws
  {
    let shelf = Shelf(posts(1...3))
    let shown = try await Shown(shelf)
    shown.list.frame = Rect(x: 0, y: 0, width: 40, height: 4)
    shown.list.layoutList()
    shown.list.selectRow(at: IndexPath(row: 1))
    await shown.wait { shown.store.isReloadable }
    shelf.posts.withLock { $0 = posts(reload.added) }
    #expect(shown.content.reload())
    await shown.wait { shown.store.count == 4 && !shown.store.isReloading }
    #expect(shown.effects.contains(.showSelection) == reload.shows)
    shown.store.stop()
  }

  @Test func coversAreToggled() async throws {
    var hidden = Post.numbered(1)
    hidden.contentWarning = "storm damage"
    let shown = try await Shown(Shelf([hidden, .numbered(2)]))
    let content = shown.content
    #expect(!content.isRevealed(row: 0))
    #expect(content.toggleCover(ofRow: 0) == [0] && content.isRevealed(row: 0))
    #expect(content.toggleCover(ofRow: 1).isEmpty && !content.isRevealed(row: 1))
    #expect(content.toggleCover(ofRow: 0) == [0] && !content.isRevealed(row: 0))
    #expect(content.toggleCover(ofRow: 9).isEmpty && content.post(ofRow: 9) == nil)
    shown.store.stop()
  }

  @Test func anOpenedPostIsAPartOfItsTimeline() async throws {
    var hidden = Post.numbered(1)
    hidden.contentWarning = "storm damage"
    let shown = try await Shown(Shelf([hidden, .numbered(2)]))
    _ = shown.content.toggleCover(ofRow: 0)
    let opened = try #require(shown.content.open(row: 0))
    let posts = try #require(opened.content.posts)
    #expect(posts.post(ofRow: opened.row)?.id == "p1" && posts.isRevealed(row: opened.row))
    #expect(posts.timeline == nil && posts.pictures === shown.content.pictures)
    #expect(posts.reading === shown.content.reading)
    // The post itself is not opened again; its details change with its cover.
    #expect(posts.open(row: opened.row) == nil)
    #expect(posts.toggleCover(ofRow: opened.row) == [opened.row, opened.row + 1])
    #expect(!posts.isRevealed(row: opened.row) && shown.content.isRevealed(row: 0))
    #expect(shown.content.open(row: 2) == nil)
    opened.close()
    shown.store.stop()
  }

  /// The status line names a row of an opened post by what it is.
  @Test func theRowsOfAnOpenedPostHaveNames() async throws {
    let posts = [1: nil, 2: "p1", 3: "p2", 4: "p2"].sorted { $0.key < $1.key }.map {
      number, answered in
      var post = Post.numbered(number)
      post.inReplyTo = answered
      return post
    }
    let shown = try await Shown(Shelf(posts))
    let opened = try #require(shown.content.open(row: 1))
    #expect(opened.content.position(ofRow: opened.row) == "the post")
    let list = ListView(name: "thread")
    (list.dataSource, list.delegate) = (opened.content, opened.content)
    opened.content.attach(to: list) { _ in }
    func names() -> [String] {
      (0..<opened.content.numberOfRows(in: list)).compactMap {
        opened.content.position(ofRow: $0)
      }
    }
    await shown.wait { names().count == 6 }
    #expect(
      names() == [
        "the post it answers", "the post · 2 answers", "its answers", "answer 1 of 2",
        "answer 2 of 2", "its details",
      ])
    #expect(shown.content.position(ofRow: 0) == nil && opened.content.position(ofRow: 6) == nil)
    opened.close()
    shown.store.stop()
  }

  private func place(ofRow row: Int, selecting selected: Int?, of numbers: some Sequence<Int>)
    async throws -> RememberedPlace
  {
    let shown = try await Shown(Shelf(posts(numbers)))
    defer { shown.store.stop() }
    return try #require(
      shown.store.place(
        ofRow: row, Place(part: 1, offset: 2), words: "st", selectedRow: selected))
  }

  @Test func aPlaceIsRestoredAtItsNewRows() async throws {
    let place = try await place(ofRow: 1, selecting: 2, of: 1...4)
    let shown = try await Shown(Shelf(posts([9, 8] + Array(1...4))), at: place)
    await shown.wait { !shown.store.isSearchingForPlace }
    let restored = RestoredPlace(
      place: Place(part: 1, offset: 2), words: "st", row: 3, newRows: 2, selectedRow: 4,
      bringsIntoView: false)
    #expect(shown.effects.contains(.restore(restored)) && shown.messages.isEmpty)
    shown.store.stop()
  }

  @Test func aLostPostIsReported() async throws {
    let place = try await place(ofRow: 1, selecting: nil, of: 1...4)
    let shown = try await Shown(Shelf(posts([7, 8])), at: place)
    await shown.wait { !shown.messages.isEmpty }
    #expect(shown.messages == ["the post that you read last is not here any more"])
    shown.store.stop()
  }

  /// If the post at the top edge is gone, the selected one stands in for it.
  @Test func theSelectedPostIsLookedForNext() async throws {
    let place = try await place(ofRow: 1, selecting: 2, of: 1...4)
    let shown = try await Shown(Shelf(posts([1, 3, 4])), at: place)
    await shown.wait { !shown.store.isSearchingForPlace && !shown.messages.isEmpty }
    #expect(shown.messages == ["the post that you read last is not here any more"])
    let rows = shown.effects.compactMap { effect -> Int? in
      if case .restore(let place) = effect { place.row } else { nil }
    }
    #expect(rows == [1])
    shown.store.stop()
  }
}

/// Posts that a test changes.
final class Shelf: Sendable {
  let posts: Mutex<[Post]>
  init(_ posts: [Post]) { self.posts = Mutex(posts) }
}

/// Reads all posts of a shelf, and again for each reload.
actor ShelfReader: PostReader {
  private nonisolated let shelf: Shelf
  private var isRead = false

  init(_ shelf: Shelf) { self.shelf = shelf }

  func next() async throws(SourceError) -> SourceReader.Batch? {
    guard !isRead else { return nil }
    isRead = true
    return SourceReader.Batch(info: TimelineInfo(), posts: shelf.posts.withLock { $0 })
  }

  nonisolated var isRefreshable: Bool { true }
  nonisolated func refreshed() throws(SourceError) -> ShelfReader? { ShelfReader(shelf) }
}

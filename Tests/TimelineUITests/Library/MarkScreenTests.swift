import Feeds
import Geometry
import Library
import Terminal
import TerminalViews
import TestSupport
import Testing
import TextLayout

@testable import TerminalApp
@testable import TimelineStore
@testable import TimelineUI

/// Marks on the screen of a timeline, and the keys that change them.
@MainActor @Suite struct MarkScreenTests {
  /// Each post takes three lines and a blank one.
  private func posts(_ count: Int) -> [Post] {
    (0..<count).map { .ofFeed($0, hours: min(11, $0 + 1)) }
  }

  /// A timeline with marks; further posts are read.
  private func source(_ count: Int, _ marks: [PostMarks]) -> MarkedPosts {
    MarkedPosts(posts(count), marks: marks)
  }

  // MARK: The marks

  @Test func marksStandBesideTheName() async throws {
    let source = source(4, [.unread, [], [.unread, .saved], .saved])
    let screen = try await LibraryScreen(source)
    try expectScreen(screen.snapshot, matches: "marks")
    // The column is the same if nothing is marked, and the text stands where it does without marks.
    let names = screen.lines.filter { $0.contains("Gauge") }
    #expect(Set(names.map { $0.prefix { $0 != "G" }.count }) == [3])
    screen.resize(columns: 30, rows: 20)
    try expectScreen(screen.snapshot, matches: "marks-narrow")
  }

  /// Beside an avatar, texts have the width that they have without marks.
  @Test func marksStandBetweenAvatarAndName() async throws {
    let screen = try await LibraryScreen(
      source(3, [.unread, [], [.unread, .saved]]), depth: .trueColor)
    try expectScreen(screen.snapshot, matches: "marks-avatars")
    let shelf = Shelf(posts(3))
    let store = TimelineStore(reader: ShelfReader(shelf), isImmediate: true)
    let other = try await LibraryScreen(
      of: store, size: Size(width: 60, height: 20), depth: .trueColor)
    func columns(_ screen: LibraryScreen) -> [Int] {
      screen.lines.filter { $0.contains("Gauge") }.map { $0.prefix { $0 != "G" }.count }
    }
    #expect(columns(screen) == columns(other) && columns(screen).count == 3)
    store.stop()
  }

  /// The mark is a character, in a colour with the contrast of text.
  @Test(arguments: ThemeChoice.allCases)
  func theUnreadMarkIsLegible(choice: ThemeChoice) async throws {
    let screen = try await LibraryScreen(source(2, [.unread, []]))
    screen.after { screen.application.themeChoice = choice }
    let canvas = screen.canvas
    let marks = (0..<canvas.size.height).flatMap { y in
      canvas.text(row: y).enumerated().filter { $1 == "•" }.map { canvas[$0.offset, y].style }
    }
    #expect(marks == [screen.application.window.theme.style(for: TextStyle(role: .tag))])
  }

  // MARK: ] [ .

  @Test func bracketsGoToUnreadPosts() async throws {
    let screen = try await LibraryScreen(
      source(40, (0..<40).map { [3, 4, 30, 38].contains($0) ? .unread : [] }))
    screen.type(":set mark-read never\n")
    var rows: [Int] = []
    for key in ["]", "]", "]", "]"] {
      screen.type(key)
      rows.append(screen.row)
    }
    #expect(rows == [3, 4, 30, 38])
    #expect(screen.contains("Post 38."))
    screen.type("]")
    #expect(screen.row == 38 && screen.status.contains("no unread post below"))
    screen.type("2[")
    #expect(screen.row == 4)
    screen.type("9[")
    #expect(screen.row == 3)
    screen.type("[")
    #expect(screen.status.contains("no unread post above"))
  }

  @Test func withoutUnreadPostsTheySaySo() async throws {
    let screen = try await LibraryScreen(source(3, []))
    for key in ["]", "["] {
      screen.type(key)
      #expect(screen.row == 0 && screen.status.contains("all posts are read"))
    }
  }

  /// An unread post below the known rows is gone to when it is known, unless the reader has moved.
  @Test(arguments: [false, true])
  func theNextUnreadPostIsAwaited(moves: Bool) async throws {
    let source = source(30, [.unread])
    source.isComplete = false
    let screen = try await LibraryScreen(source)
    screen.type("]")
    #expect(screen.row == 0 && screen.status.contains("looking for the next unread post"))
    if moves { screen.type("j") }
    screen.after { source.append((100..<104).map { .numbered($0) }, marks: [], isLast: false) }
    #expect(screen.row == (moves ? 1 : 0))
    screen.after { source.append([.numbered(200)], marks: .unread, isLast: true) }
    #expect(screen.row == (moves ? 1 : 34))
  }

  @Test func aFilterNarrowsWhatIsNext() async throws {
    var all = posts(20)
    for row in [2, 9, 12] { all[row].body = StyledText("ebb \(row)") }
    let source = MarkedPosts(
      all, marks: (0..<20).map { [1, 5, 9, 12].contains($0) ? .unread : [] })
    let screen = try await LibraryScreen(source)
    try screen.after { try screen.screen.finding?.filter.filter("ebb") }
    await screen.wait { screen.store.isComplete }
    screen.type("]")
    #expect(screen.row == 1 && screen.contains("ebb 9"))
    screen.type("A")
    await screen.wait { screen.status.contains("marked") }
    #expect(screen.status.contains("2 posts marked read · U takes it back"))
    #expect(source.rows(having: .unread) == [1, 5])
  }

  @Test func pointGoesToTheNextNewPostAndAround() async throws {
    let source = source(30, (0..<30).map { [0, 1, 20].contains($0) ? .new : [] })
    let screen = try await LibraryScreen(source)
    var rows: [Int] = []
    for _ in 0..<3 {
      screen.type(".")
      rows.append(screen.row)
    }
    #expect(rows == [1, 20, 0] && screen.status.contains("back to the first new post"))
    let quiet = try await LibraryScreen(self.source(3, []))
    quiet.type(".")
    #expect(quiet.status.contains("nothing new"))
  }

  /// `''` and Ctrl-O return from jumps, place by place, to the same lines.
  @Test(arguments: [InputEvent.typing("''"), [.key(.character("o"), .control)]])
  func jumpsAreTakenBack(keys: [InputEvent]) async throws {
    let screen = try await LibraryScreen(
      source(60, (0..<60).map { [25, 50].contains($0) ? .unread : [] }))
    screen.type("jj")
    let start = screen.lines.dropLast(2)
    screen.type("]")
    let second = screen.lines.dropLast(2)
    screen.type("]")
    #expect(screen.row == 50)
    screen.send(keys)
    #expect(screen.row == 25 && screen.lines.dropLast(2) == second)
    screen.send(keys)
    #expect(screen.row == 2 && screen.lines.dropLast(2) == start)
    screen.send(keys)
    #expect(screen.status.contains("no place to go back to"))
  }

  // MARK: a A U s

  @Test func aTurnsReadAndUnread() async throws {
    let source = source(4, [.unread])
    let screen = try await LibraryScreen(source)
    let before = screen.lines.dropLast(2).map { $0.replacing("•", with: " ") }
    screen.type("a")
    #expect(source.unreadCount == 0 && !screen.contains("•"))
    await screen.wait { screen.status.contains("read") }
    #expect(screen.status.contains("read"))
    #expect(screen.lines.dropLast(2).map { $0 } == before, "nothing moves")
    screen.type("a")
    #expect(source.rows(having: .unread) == [0] && screen.contains("•"))
    // A post that was marked as unread is not read by leaving it.
    screen.type("j")
    #expect(source.rows(having: .unread) == [0])
    screen.type("kaaaj")
    #expect(source.unreadCount == 0)
  }

  @Test func allAreMarkedAndTakenBack() async throws {
    let source = source(30, (0..<30).map { $0 < 12 ? .unread : [] })
    let screen = try await LibraryScreen(source)
    #expect(screen.status.contains("12 unread"))
    screen.type("A")
    #expect(source.unreadCount == 0 && !screen.contains("•"))
    await screen.wait { screen.status.contains("marked") }
    #expect(screen.status.contains("12 posts marked read"))
    screen.type("A")
    #expect(screen.status.contains("all posts of the list are read"))
    screen.type("U")
    await screen.wait { source.unreadCount == 12 && screen.status.contains("again") }
    #expect(screen.status.contains("12 posts unread again") && screen.contains("•"))
    screen.type("U")
    await screen.wait { screen.status.contains("nothing to take back") }
    #expect(screen.status.contains("nothing to take back"))
    screen.type("s")
    screen.type("U")
    await screen.wait { screen.status.contains("1 post not saved any more") }
    #expect(source.rows(having: .saved).isEmpty)
    source.undoError = LibraryError(.locked, file: "library.db")
    screen.type("U")
    await screen.wait { screen.status.contains("not taken back") }
    #expect(screen.status.contains("not taken back"))
  }

  /// A message says that posts are marked when that is written, and only of the last marking.
  @Test func marksAreToldWhenTheyAreWritten() async throws {
    let source = source(8, (0..<8).map { _ in .unread })
    let screen = try await LibraryScreen(source)
    source.isHeld = true
    screen.type("sA")
    #expect(source.unreadCount == 0 && !screen.contains("•"))
    await screen.pass(turns: 30)
    #expect(!screen.status.contains("marked") && !screen.status.contains("saved"))
    source.isHeld = false
    await screen.wait { screen.status.contains("marked") }
    #expect(screen.status.contains("8 posts marked read · U takes it back"))
    source.writeError = LibraryError(.locked, file: "library.db")
    screen.type("a")
    await screen.pass(turns: 30)
    #expect(source.rows(having: .unread) == [0] && !screen.status.contains("unread,"))
  }

  /// Posts that are not known yet are not marked, and the message says so.
  @Test func whatIsKnownIsMarked() async throws {
    let source = source(3, [.unread, .unread])
    source.isComplete = false
    let screen = try await LibraryScreen(source)
    screen.type("A")
    await screen.wait { screen.status.contains("marked") }
    #expect(screen.status.contains("2 posts marked read so far"))
    screen.after { source.append([.numbered(50)], marks: .unread, isLast: true) }
    #expect(source.rows(having: .unread) == [3])
  }

  @Test func savedPostsSaySo() async throws {
    let source = source(3, [])
    let screen = try await LibraryScreen(source)
    screen.type("s")
    #expect(source.rows(having: .saved) == [0] && screen.lines[0].contains("· saved"))
    await screen.wait { screen.status.contains("saved") }
    #expect(screen.status.contains("saved"))
    screen.type("s")
    #expect(source.rows(having: .saved).isEmpty && !screen.lines[0].contains("saved"))
  }

  @Test func anOpenedPostIsMarkedToo() async throws {
    let source = source(3, [.unread, .unread])
    let screen = try await LibraryScreen(source)
    screen.type("\n")
    #expect(source.rows(having: .unread) == [1], "opening reads it")
    screen.type("s")
    #expect(source.rows(having: .saved) == [0])
    screen.type("a")
    #expect(source.rows(having: .unread) == [0, 1])
    screen.type("q")
    #expect(screen.lines[0].contains("•") && screen.lines[0].contains("saved"))
  }

  // MARK: Reading

  @Test func aPostIsReadWhenTheSelectionLeavesItDownwards() async throws {
    let source = source(20, Array(repeating: .unread, count: 20))
    let screen = try await LibraryScreen(source)
    screen.type("j")
    #expect(source.rows(having: .unread) == Array(1..<20))
    screen.type("k")
    #expect(source.rows(having: .unread) == Array(1..<20), "leaving upwards reads nothing")
    // Presses that arrive together pass each post.
    screen.send(InputEvent.typing("jjj"))
    #expect(source.rows(having: .unread) == Array(3..<20))
    // A jump leaves one post and skips the others.
    screen.type("G")
    #expect(source.rows(having: .unread) == Array(4..<20))
  }

  @Test func scrollingReadsNothing() async throws {
    let source = source(20, Array(repeating: .unread, count: 20))
    let screen = try await LibraryScreen(source)
    screen.type("   b ")
    screen.send([.key(.character("e"), .control)])
    screen.send([.key(.character("d"), .control)])
    screen.after { _ = screen.screen.listView.scroll(byLines: 9) }
    #expect(source.unreadCount == 20)
    screen.type("g")
    #expect(source.unreadCount == 20)
  }

  @Test func aLongPostIsReadAtItsEnd() async throws {
    var all = posts(4)
    all[0].body = StyledText((1...40).map { "line \($0)" }.joined(separator: "\n"))
    let source = MarkedPosts(all, marks: Array(repeating: .unread, count: 4))
    let screen = try await LibraryScreen(source)
    screen.type("2g")
    #expect(screen.row == 1 && source.unreadCount == 4, "its end was not on the screen")
    screen.type("g")
    for _ in 0..<20 where screen.row == 0 {
      #expect(source.rows(having: .unread).first == 0)
      screen.type("j")
    }
    #expect(screen.row == 1 && source.rows(having: .unread) == [1, 2, 3])
  }

  /// A search shows matches while it is typed; only the match that is kept leaves the post before.
  @Test func whatMovesTheSelectionByItselfReadsNothing() async throws {
    let source = source(30, Array(repeating: .unread, count: 30))
    let screen = try await LibraryScreen(source)
    screen.type("/Post 20.")
    screen.send([.key(.escape, [])])
    #expect(screen.row == 0 && source.unreadCount == 30)
    try screen.after { try screen.screen.finding?.filter.filter("\"Post 2\"") }
    screen.after { screen.screen.finding?.filter.clear() }
    #expect(source.unreadCount == 30)
    screen.after { source.prepend([.ofFeed(100, hours: 0)], marks: .unread) }
    #expect(source.unreadCount == 31)
  }

  @Test(arguments: ["passed", "opened", "never"])
  func theSettingDecides(rule: String) async throws {
    let source = source(4, [.unread, .unread])
    let screen = try await LibraryScreen(source)
    screen.type(":set mark-read \(rule)\n")
    screen.type("j")
    #expect(source.rows(having: .unread) == (rule == "passed" ? [1] : [0, 1]))
    screen.type("\nq")
    let opened = rule == "passed" ? [] : rule == "opened" ? [0] : [0, 1]
    #expect(source.rows(having: .unread) == opened)
    screen.type(":set mark-read sometimes\n")
    #expect(screen.status.contains("mark-read is passed, opened or never"))
  }

  @Test func openingALinkReads() async throws {
    var all = posts(2)
    all[0].url = "https://harbour.example/0"
    let source = MarkedPosts(all, marks: [.unread, .unread])
    let screen = try await LibraryScreen(source)
    screen.type("o")
    #expect(source.rows(having: .unread) == [1])
  }

  // MARK: New posts

  private func lineRow(_ screen: LibraryScreen) -> Int? {
    screen.lines.firstIndex { $0.contains("new since") }
  }

  @Test func aLineStandsBetweenNewAndOlderPosts() async throws {
    let source = source(20, [.new, [.new, .unread], [], .new])
    source.newSince = LibraryScreen.now - 86_400
    let screen = try await LibraryScreen(source)
    let line = try #require(lineRow(screen))
    let moment = RelativeTime.moment(
      LibraryScreen.now - 86_400, now: LibraryScreen.now, style: .reader)
    #expect(screen.lines[line].hasPrefix("  ── new since \(moment) ──"))
    // Above it the post before ends; below it is a blank line.
    #expect(screen.lines[line - 1].hasSuffix("──────") && screen.lines[line + 1].isEmpty)
    #expect(screen.lines[line + 2].contains("Gauge 2"))
    // New posts among older ones say so.
    #expect(screen.lines.first { $0.contains("Gauge 3") }?.contains("· new") == true)
    #expect(screen.lines.first { $0.contains("Gauge 1") }?.contains("· new") == false)
    #expect(screen.status.contains("3 new"))
    // It belongs to the row below it, which can be selected and goes to the top with it.
    screen.type("JJ")
    #expect(screen.row == 2 && lineRow(screen) == 0)
    #expect(!screen.lines[0].hasPrefix("▌") && screen.lines[2].hasPrefix("▌"))
  }

  /// Headlines are lines of one row; the one below the line has two, and the list counts them.
  @Test func theLineStandsAmongHeadlines() async throws {
    let source = source(40, [.new, .new])
    source.newSince = LibraryScreen.now - 86_400
    let screen = try await LibraryScreen(source)
    screen.type("v")
    #expect(lineRow(screen) == 2)
    #expect(screen.lines[1].contains("Post 1.") && screen.lines[3].contains("Post 2."))
    screen.type("jj")
    #expect(screen.row == 2)
    #expect(screen.lines[3].hasPrefix("▌") && !screen.lines[2].hasPrefix("▌"))
    screen.type("G")
    #expect(screen.lines[17].contains("Post 39."))
    screen.type("g")
    #expect(lineRow(screen) == 2, "the top is where it was")
    // It goes where the new posts end.
    screen.after { source.prepend([.ofFeed(90, hours: 0)], marks: .new) }
    screen.type("g")
    #expect(lineRow(screen) == 3 && screen.lines.count { $0.contains("new since") } == 1)
    #expect(screen.lines[2].contains("Post 1.") && screen.lines[4].contains("Post 2."))
    #expect((5..<18).allSatisfy { screen.lines[$0].contains("Post \($0 - 2).") })
    // Back among whole posts, it is where it was.
    screen.type("v")
    #expect(screen.lines.count { $0.contains("new since") } <= 1)
  }

  @Test(arguments: [[PostMarks.new, .new], [[], .new]])
  func thereIsNoLineWithoutBoth(marks: [PostMarks]) async throws {
    let source = source(2, marks)
    source.newSince = LibraryScreen.now - 86_400
    #expect(lineRow(try await LibraryScreen(source)) == nil)
    let first = self.source(3, [.new])
    #expect(lineRow(try await LibraryScreen(first)) == nil, "before the first visit")
  }

  /// Posts that arrive above get a line; the post at the top edge stays on its line.
  @Test func theLineMovesNothing() async throws {
    let source = source(20, [])
    source.newSince = LibraryScreen.now - 600
    let screen = try await LibraryScreen(source)
    screen.type("j")
    let before = screen.lines.dropLast(2).dropFirst()
    screen.after { source.prepend([.ofFeed(90, hours: 0), .ofFeed(91, hours: 0)], marks: .new) }
    #expect(screen.row == 3)
    // The corner of the first line counts the new posts.
    #expect(screen.lines.dropLast(2).dropFirst() == before)
    screen.type("g")
    let line = try #require(lineRow(screen))
    #expect(screen.lines[line + 2].contains("Gauge 0"))
    screen.after { source.prepend([.ofFeed(92, hours: 0)], marks: .new) }
    screen.type("g")
    #expect(screen.lines.count { $0.contains("new since") } == 1)
  }

  /// The feed that answers first has no better place than the others: the newest posts are shown until
  /// the reader moves.
  @Test func theNewestOfTheFirstPostsIsShown() async throws {
    let source = source(0, [])
    let screen = try await LibraryScreen(source)
    screen.after { source.prepend([.ofFeed(11, hours: 11)], marks: [.new, .unread]) }
    screen.after {
      source.prepend((3..<11).map { .ofFeed($0, hours: $0) }, marks: [.new, .unread])
    }
    #expect(screen.row == 0 && screen.lines.contains { $0.contains("Gauge 3") })
    screen.type("j")
    let before = screen.lines.dropLast(2).dropFirst()
    screen.after { source.prepend([.ofFeed(1, hours: 1)], marks: [.new, .unread]) }
    #expect(screen.row == 2 && screen.lines.dropLast(2).dropFirst() == before)
  }

  /// The pill counts the new posts above the topmost one that was reached; the point goes there first.
  @Test func newPostsAboveAreCountedWhereverTheyAre() async throws {
    let source = source(40, (0..<40).map { [2, 4, 30].contains($0) ? .new : [] })
    source.newSince = LibraryScreen.now - 600
    let screen = try await LibraryScreen(source)
    let pill = { screen.lines[0].contains("new · .") ? screen.lines[0] : "" }
    screen.type("G")
    #expect(pill() == "", "the top was reached")
    screen.after { source.prepend([.ofFeed(90, hours: 0), .ofFeed(91, hours: 0)], marks: .new) }
    screen.after { source.prepend([.ofFeed(92, hours: 0)], marks: []) }
    #expect(pill().contains("2 new · ."))
    screen.type(".")
    #expect(screen.row == 1 && pill() == "")
    screen.type(".")
    #expect(screen.row == 2)
  }

  /// Posts that arrive above while the place is looked for are no move of the reader.
  @Test(arguments: [false, true]) func aPlaceIsFoundThoughPostsArrive(moves: Bool) async throws {
    let former = try await LibraryScreen(source(60, []))
    former.type("40G")
    let place = try #require((former.screen.content as? PostListContent)?.currentPlace)
    let source = source(30, [])
    source.isComplete = false
    let screen = try await LibraryScreen(source, place: place)
    screen.after { source.prepend([.ofFeed(90, hours: 0), .ofFeed(91, hours: 0)], marks: .new) }
    #expect(screen.row == 0 && screen.contains("Gauge 90"))
    if moves { screen.type("j") }
    screen.after {
      source.append((30..<60).map { .ofFeed($0, hours: $0) }, marks: [], isLast: true)
    }
    #expect(screen.row == (moves ? 1 : 41))
  }

  @Test func aVisitIsRecordedAtTheTop() async throws {
    let source = source(30, [])
    let screen = try await LibraryScreen(source)
    func rest() { while screen.screen.workIdle() {} }
    rest()
    rest()
    #expect(source.visitCount == 1)
    screen.type("G")
    screen.after { source.prepend([.ofFeed(90, hours: 0)], marks: .new) }
    rest()
    #expect(source.visitCount == 1, "the reader is at the end")
    screen.type("g")
    rest()
    #expect(source.visitCount == 2)
  }

  @Test func changesOfOtherProgramsAreTakenInOnAKey() async throws {
    let source = source(3, [])
    let screen = try await LibraryScreen(source)
    let count = source.otherChangeCount
    screen.type("j")
    #expect(source.otherChangeCount == count + 1)
  }

  // MARK: Headlines

  @Test func headlinesHaveTheMarks() async throws {
    let source = source(6, [.unread, [], .saved, [], .unread])
    let screen = try await LibraryScreen(source)
    screen.type("v")
    try expectScreen(screen.snapshot, matches: "marks-headlines")
    screen.type("a")
    #expect(source.rows(having: .unread) == [4] && !screen.lines[0].contains("•"))
    screen.type("]")
    #expect(screen.row == 4)
    screen.type("s")
    #expect(screen.lines[4].contains("saved"))
  }

  // MARK: Sources without marks

  @Test func aSourceWithoutMarksSaysSo() async throws {
    let shelf = Shelf((1...20).map { .numbered($0) })
    let store = TimelineStore(reader: ShelfReader(shelf), isImmediate: true)
    let screen = try await LibraryScreen(of: store, size: Size(width: 60, height: 20))
    let before = screen.lines.dropLast(2)
    for key in ["]", "[", "a", "A", "U", "s"] {
      screen.type(key)
      #expect(screen.status.contains("nothing is marked here · tideline add follows"), "\(key)")
    }
    screen.type("L")
    #expect(screen.status.contains("no feeds here"))
    screen.type(".")
    #expect(screen.status.contains("nothing new"))
    #expect(screen.lines.dropLast(2) == before && !screen.contains("unread"))
    store.stop()
  }

  @Test func theHelpPageHasAHeadingForThem() async throws {
    let screen = try await LibraryScreen(source(2, []), rows: 160)
    screen.type("?")
    let heading = try #require(screen.lines.firstIndex { $0.contains("Feeds") })
    #expect(screen.lines[heading + 1].contains("next unread post"))
    #expect(screen.contains("mark-read"))
  }
}

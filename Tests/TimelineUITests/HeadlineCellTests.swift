import Feeds
import Geometry
import ImageLoading
import Terminal
import TerminalViews
import Testing
import TextLayout

@testable import Pictures
@testable import TimelineUI

/// What a headline shows of a post, and where.
@MainActor @Suite struct HeadlineCellTests {
  private static let now = 1_713_600_000.0
  private let context: PostCell.Context

  init() {
    let pictures = PictureStore(
      loader: ImageLoader(
        configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
        decoder: ColoredDecoder()),
      depth: .trueColor)
    context = PostCell.Context(pictures: pictures, clock: .fixed(at: Self.now))
  }

  private func cell(_ post: Post, isRevealed: Bool = false, isUnread: Bool? = nil) -> HeadlineCell {
    let cell = HeadlineCell(context: context)
    cell.configure(
      with: post, info: TimelineInfo(title: "Tides"), isRevealed: isRevealed,
      marks: isUnread.map { ShownMarks(marks: $0 ? .unread : []) })
    return cell
  }

  private func canvas(_ cell: HeadlineCell, width: Int) -> Canvas {
    #expect(cell.heightThatFits(width: width) == 1)
    cell.layout(width: width, height: 1)
    var canvas = Canvas(size: Size(width: width, height: 1))
    cell.render(into: &canvas, origin: .zero)
    return canvas
  }

  private func line(
    _ post: Post, width: Int = 80, isRevealed: Bool = false, isUnread: Bool? = nil
  ) -> String {
    canvas(cell(post, isRevealed: isRevealed, isUnread: isUnread), width: width).text(row: 0)
  }

  private var post: Post {
    var post = Post(id: "1")
    post.author = Post.Author(name: "Harbour gauge", handle: "@gauge@tideline.example")
    post.title = StyledText("High water at dusk")
    post.body = StyledText("The text is left out.")
    post.published = Self.now - 7_200
    return post
  }

  @Test func nameTitleAndAgeStandInColumns() {
    #expect(
      line(post) == "  Harbour gauge     High water at dusk" + String(repeating: " ", count: 38)
        + "2 h ")
    var other = post
    other.author = Post.Author(name: "Bo")
    other.source = "The tide tables of the whole coast"
    let text = line(other)
    #expect(text.hasPrefix("  The tide tables…  High water at dusk"), "\(text)")
    other.source = nil
    other.author = nil
    #expect(line(other).hasPrefix("  Tides             High"), "the timeline stands for an author")
  }

  /// A long title is cut; then there is no name, at last no age. No constraint breaks at any width.
  @Test func theTitleGivesWayFirst() {
    var long = post
    long.title = StyledText(String(repeating: "High water ", count: 20))
    for isUnread in [nil, true] {
      let cell = cell(long, isUnread: isUnread)
      for width in 1...140 {
        let text = canvas(cell, width: width).text(row: 0)
        #expect(text.contains("Harbour") == (width >= 40), "\(width): \(text)")
        #expect(text.contains("2 h ") == (width >= 24), "\(width): \(text)")
        if width > 12 { #expect(text.contains("High") && text.contains("…"), "\(width): \(text)") }
        let broken = cell.layoutInspection.constraints.filter { $0.state == .broken }
        #expect(broken.isEmpty, "\(width): \(broken)")
      }
    }
  }

  @Test func marksHaveAColumnOnlyIfTheSourceKeepsThem() {
    #expect(line(post).hasPrefix("  Harbour"))
    #expect(line(post, isUnread: false).hasPrefix("    Harbour"))
    #expect(line(post, isUnread: true).hasPrefix("  • Harbour"))
    func isBold(_ isUnread: Bool) -> Bool {
      let cell = cell(post, isUnread: isUnread)
      let canvas = canvas(cell, width: 80)
      return (0..<80).contains { canvas[$0, 0].style.attributes.contains(.bold) }
    }
    #expect(isBold(true) && !isBold(false))
  }

  @Test func aPostWithoutATitleShowsItsFirstWords() {
    func words(_ change: (inout Post) -> Void, isRevealed: Bool = false) -> String {
      var post = Post(id: "1")
      change(&post)
      let cell = HeadlineCell(context: context)
      cell.configure(with: post, info: TimelineInfo(), isRevealed: isRevealed)
      return canvas(cell, width: 60).text(row: 0).trimmed
    }
    #expect(words { $0.body = StyledText("One\ntwo.\n\nThree  \n four") } == "One two. Three four")
    #expect(
      words {
        $0.pictures = [Post.Picture(url: "https://x.example/a.png", alternativeText: "A pier")]
      }
        == "▣ A pier")
    #expect(
      words { $0.attachments = [Post.Attachment(url: "https://x.example/tide.mp3")] }
        == "→ tide.mp3")
    #expect(words { $0.card = Post.Card(url: "https://x.example/", title: "Ebb") } == "↗ Ebb")
    #expect(
      words { post in
        var quote = Post(id: "2")
        quote.body = StyledText("Said before")
        post.quotes = [quote]
      } == "> Said before")
    #expect(words { $0.url = "https://x.example/1" } == "https://x.example/1")
    #expect(words { $0.damage = "no date" } == "⚠ no date")
    #expect(
      words {
        $0.body = StyledText("Again")
        $0.repostedBy = Post.Author(name: "Buoy")
      } == "↻ Again")
    // No line is too long, and nothing is lost in a text of blanks.
    #expect(words { $0.body = StyledText(String(repeating: "word ", count: 90_000)) }.count == 57)
    #expect(words { _ in } == "")
  }

  @Test func coversAreKept() {
    var hidden = post
    hidden.title = StyledText()
    hidden.contentWarning = "storm damage"
    let covered = cell(hidden)
    #expect(canvas(covered, width: 80).text(row: 0).contains("⚠ storm damage"))
    #expect(covered.isRevealed == false)
    #expect(line(hidden, isRevealed: true).contains("The text is left out."))
    #expect(cell(hidden, isRevealed: true).isRevealed == true && cell(post).isRevealed == nil)
    var filtered = post
    filtered.filter = "spoilers"
    #expect(line(filtered).contains("⚠ filtered: spoilers") && !line(filtered).contains("High"))
    var sensitive = Post(id: "1")
    sensitive.isSensitive = true
    sensitive.pictures = [Post.Picture(url: "https://x.example/a.png", alternativeText: "A pier")]
    #expect(!line(sensitive).contains("A pier"))
    #expect(line(sensitive, isRevealed: true).contains("A pier"))
  }

  @Test func matchesAreMarked() {
    context.marks.needle = TextNeedle("water")
    let cell = cell(post)
    let shown = canvas(cell, width: 80)
    let marked = (0..<80).filter { shown[$0, 0].style.attributes.contains(.reverse) }
    #expect(marked == Array(25..<30) && cell.matchLines == [0])
    var other = post
    other.title = StyledText("Low tide")
    let unmarked = self.cell(other)
    _ = canvas(unmarked, width: 80)
    #expect(unmarked.matchLines == [])
  }

  @Test func theAgeIsReportedToTheClock() throws {
    let cell = cell(post)
    _ = canvas(cell, width: 80)
    #expect(cell.isCurrent)
    let change = try #require(cell.nextChange)
    #expect(abs(change - (Self.now + 3_600)) < 1)
    _ = canvas(cell, width: 20)
    #expect(cell.nextChange == nil, "no age shows")
  }

  @Test func theSelectionHasABar() {
    let cell = cell(post)
    cell.isSelected = true
    #expect(canvas(cell, width: 80).text(row: 0).hasPrefix("▌ Harbour"))
  }
}

extension String {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

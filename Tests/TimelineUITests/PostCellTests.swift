import Feeds
import Geometry
import ImageLoading
import Terminal
import TerminalViews
import Testing
import TextLayout

@testable import Pictures
@testable import TimelineUI

/// What a post's cell shows of all that can come with a post.
@MainActor @Suite struct PostCellTests {
  private let pictures = PictureStore(
    loader: ImageLoader(
      configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
      decoder: ColoredDecoder()),
    depth: .trueColor)
  private static let now = 1_713_600_000.0

  private func cell(_ post: Post, isRevealed: Bool = false) -> PostCell {
    let context = PostCell.Context(pictures: pictures, clock: .fixed(at: Self.now))
    let cell = PostCell(
      PostCell.Shape(of: post, showsPictures: pictures.showsPictures), context: context)
    cell.configure(with: post, info: TimelineInfo(), screenHeight: 30, isRevealed: isRevealed)
    return cell
  }

  /// The cell's lines without the blanks around them.
  private func lines(_ cell: PostCell, width: Int = 60) -> [String] {
    let height = cell.heightThatFits(width: width)
    cell.layout(width: width, height: height)
    var canvas = Canvas(size: Size(width: width, height: height))
    cell.render(into: &canvas, origin: .zero)
    return (0..<height).map { y in
      var line = ""
      for x in 0..<width where canvas[x, y].width > 0 {
        line.unicodeScalars.append(Unicode.Scalar(canvas[x, y].scalars.0) ?? "?")
      }
      var text = line.drop { $0 == " " }
      // The initials of an account without a picture.
      if text.hasPrefix("B     ") { text = text.dropFirst(6) }
      // The line at the post's end stands on a line that is else empty.
      if y == height - 1, text.allSatisfy({ $0 == "─" || $0 == " " }) { return "" }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Column of the first letter of `word`, and what stands for the author before it.
  private func place(of word: String, in post: Post) throws -> (column: Int, initials: String) {
    let cell = cell(post)
    let height = cell.heightThatFits(width: 60)
    cell.layout(width: 60, height: height)
    var canvas = Canvas(size: Size(width: 60, height: height))
    cell.render(into: &canvas, origin: .zero)
    let rows = (0..<height).map { canvas.text(row: $0) }
    let row = try #require(rows.first { $0.contains(word) })
    let column = try #require(row.firstRange(of: word)).lowerBound
    let initials = rows.compactMap { row in
      row.prefix(9).split(separator: " ").first.map { String($0) }
    }
    return (row.distance(from: row.startIndex, to: column), initials.first { $0.count < 3 } ?? "")
  }

  /// Who has no picture has a place where others have one, so that all texts of a timeline stand in
  /// line.
  @Test func initialsStandWhereOthersHavePictures() throws {
    var byline = Post(id: "1")
    byline.author = Post.Author(name: "John Gruber")
    byline.body = StyledText("Words of a feed.")
    let alone = try place(of: "Words", in: byline)
    #expect(alone.column == 2 && alone.initials == "")
    var merged = byline
    merged.source = "Daring Fireball"
    let beside = try place(of: "Words", in: merged)
    #expect(beside.column == 10 && beside.initials == "JG")
    merged.author = nil
    let unnamed = try place(of: "Words", in: merged)
    #expect(unnamed.column == 10 && unnamed.initials == "DF")
    byline.author = Post.Author(name: "John Gruber", handle: "@gruber@sea.example")
    let account = try place(of: "Words", in: byline)
    #expect(account.column == 10 && account.initials == "JG")
  }

  /// A file is a name that leads to it, and never an address over several lines.
  @Test func filesAreNamed() throws {
    var post = post
    post.attachments = [
      Post.Attachment(
        url: "https://pod.example/d/clips/5ac1e950-45c7/audio.mp3?utm_source=x&in_playlist=4c18e",
        mediaType: "audio/mpeg", byteCount: 2_500_000, duration: 61),
      Post.Attachment(url: "https://pod.example/two.mp3", title: "The second one"),
      Post.Attachment(url: "https://pod.example/"),
    ]
    let shown = lines(cell(post))
    #expect(
      shown.suffix(4) == [
        "→ audio.mp3 · audio/mpeg · 1:01 · 2 MB", "→ The second one", "→ https://pod.example/", "",
      ], "\(shown)")
  }

  /// What leads somewhere is underlined, whatever else it is.
  @Test func linksAreUnderlined() throws {
    var post = post
    post.card = Post.Card(url: "https://charts.example/", title: "Charts")
    post.attachments = [Post.Attachment(url: "https://pod.example/one.mp3")]
    var body = StyledText()
    body.beginParagraph(StyledText.ParagraphStyle())
    for role in [TextStyle.Role.body, .link, .code, .secondary, .quote, .tag, .heading] {
      body.append(
        "at", style: TextStyle(role: role, link: body.addLink("https://x.example/\(role)")))
      body.append(" ")
    }
    post.body = body
    let cell = cell(post)
    let height = cell.heightThatFits(width: 60)
    cell.layout(width: 60, height: height)
    var canvas = Canvas(size: Size(width: 60, height: height))
    cell.render(into: &canvas, origin: .zero)
    var count = 0
    for y in 0..<height {
      for x in 0..<60 where canvas[x, y].link != 0 {
        #expect(canvas[x, y].style.attributes.contains(.underline), "\(x), \(y)")
        count += 1
      }
    }
    #expect(count == 14 + "https://charts.example/".count + "one.mp3".count)
  }

  /// A tag of several words stays on one line.
  @Test func tagsAreNotBroken() throws {
    var post = post
    post.tags = ["Security", "Operating Systems", "Harbour of the tide", "Rope"]
    let shown = lines(cell(post), width: 40)
    #expect(shown.contains { $0.hasPrefix("#Harbour\u{A0}of\u{A0}the\u{A0}tide") }, "\(shown)")
    #expect(shown.allSatisfy { !$0.hasSuffix("#Operating") })
  }

  private func images(_ cell: PostCell) -> [ImageView] {
    cell.subitems.compactMap { $0 as? ImageView }.filter { $0.name != "icon" }
  }

  private var post: Post {
    var post = Post(id: "1")
    post.author = Post.Author(name: "Buoy", handle: "@buoy@sea.example")
    post.published = Self.now - 7_200
    post.body = StyledText("Words of the buoy.")
    return post
  }

  /// The title stands out in every cell, also where its source emphasises only a part of it.
  @Test func titlesAreBold() throws {
    var titled = post
    titled.title = StyledText("High water")
    titled.title.append(" at dusk", style: TextStyle(traits: .italic))
    let cell = cell(titled)
    let lines = lines(cell)
    let y = try #require(lines.firstIndex(of: "High water at dusk"))
    for x in 2..<20 where cell.canvas(width: 60)[x, y].scalars.0 != 0x20 {
      #expect(cell.canvas(width: 60)[x, y].style.attributes.contains(.bold), "column \(x)")
    }
    #expect(!cell.canvas(width: 60)[2, y + 2].style.attributes.contains(.bold))
    #expect(PostText.title(of: post).isEmpty)
  }

  /// The first column is the selection's, which is drawn over what stands there.
  @Test(arguments: [7, 10, 36, 60, 140]) func nothingStandsWhereTheSelectionIsMarked(width: Int) {
    var full = post
    full.repostedBy = Post.Author(name: "Ferry")
    full.title = StyledText("A title")
    full.author?.avatar = ColoredPicture.url(color: 2, size: .init(width: 40, height: 40))
    full.pictures = [
      Post.Picture(url: ColoredPicture.url(color: 1, size: .init(width: 80, height: 80)))
    ]
    full.tags = ["pier"]
    for post in [post, full] {
      let cell = cell(post)
      let selected = self.cell(post)
      selected.isSelected = true
      let lines = lines(cell, width: width)
      for case let view as View in cell.subitems where !view.frame.isEmpty {
        #expect(view.frame.minX >= cell.selectionMarkWidth, "\(view.name) \(view.frame)")
      }
      let marked = self.lines(selected, width: width)
      #expect(marked.count == lines.count)
      #expect(marked.dropLast().allSatisfy { $0.hasPrefix("▌") } && marked.last == "")
    }
  }

  /// A short line, no wider than its cell, ends each post without making it higher.
  @Test(arguments: [(4, 1), (7, 4), (20, 6), (200, 6)])
  func aShortLineEndsThePost(width: Int, columns: Int) {
    let cell = cell(post)
    let height = cell.heightThatFits(width: width)
    cell.layout(width: width, height: height)
    var canvas = Canvas(size: Size(width: width, height: height))
    cell.render(into: &canvas, origin: .zero)
    let line = (0..<width).filter { canvas[$0, height - 1].scalars.0 == 0x2500 }
    #expect(line.count == columns, "\(line)")
    #expect(line.allSatisfy { canvas[$0, height - 1].style == cell.theme.lineStyle })
  }

  /// One line of a post stands out: its title, else its author.
  @Test func theAuthorOfAPostWithATitleIsSecondary() {
    var titled = post
    #expect(PostText.name(of: titled, in: TimelineInfo()).isBold)
    titled.title = StyledText("A title")
    #expect(!PostText.name(of: titled, in: TimelineInfo()).isBold)
    let title = PostText.title(of: titled).paragraphs.flatMap(\.runs)
    #expect(title.allSatisfy { $0.style.role == .title && $0.style.traits == .bold })
  }

  @Test func aBoostNamesWhoBroughtIt() {
    var boosted = post
    boosted.repostedBy = Post.Author(name: "Ferry")
    boosted.modified = Self.now
    boosted.counts = Post.Counts(replies: 3, reposts: 0, likes: 40)
    #expect(
      lines(cell(boosted)) == [
        "↻ Ferry boosted", "Buoy @buoy@sea.example · 2 h · edited", "Words of the buoy.", "",
        "↩ 3   ★ 40", "",
      ])
    #expect(lines(cell(boosted), width: 30)[1] == "Buoy @buoy@sea.examp… · 2 h")
    // Initials are three lines high.
    #expect(lines(cell(post)) == ["Buoy @buoy@sea.example · 2 h", "Words of the buoy.", "", ""])
  }

  @Test func aLongNameGivesWayToTheTime() {
    var long = post
    long.author?.name = "A name that is longer than the row is wide"
    #expect(lines(cell(long), width: 24)[0] == "A name that i…  · 2 h")
  }

  @Test func aPollHasABarForEachOption() {
    var asking = post
    asking.poll = Post.Poll(
      options: [
        Post.Poll.Option(title: "Ebb", votes: 3), Post.Poll.Option(title: "Flood", votes: 1),
        Post.Poll.Option(title: "Neither"),
      ], closes: Self.now + 2 * 86_400 + 60)
    #expect(
      lines(cell(asking)).dropFirst(3) == [
        "████████░░  75%  Ebb", "███░░░░░░░  25%  Flood", "○  Neither", "4 votes · closes in 2 d",
        "",
      ])
    asking.poll?.closes = Self.now - 1
    #expect(lines(cell(asking)).contains("4 votes · closed"))
  }

  @Test func aQuoteStandsBehindABar() {
    var quoting = post
    var quote = Post(id: "2")
    quote.author = Post.Author(name: "Gauge", handle: "@gauge@tideline.example")
    quote.body = StyledText("Quoted.\n\nAnd more.")
    quote.pictures = [Post.Picture(url: "https://x.example/p.png", alternativeText: "The pier")]
    quoting.quotes = [quote]
    quoting.card = Post.Card(url: "https://charts.example/", title: "Charts")
    #expect(
      lines(cell(quoting)).dropFirst(3) == [
        "▎ Gauge @gauge@tideline.example", "▎ Quoted.", "▎", "▎ And more.", "▎ ▣ The pier", "",
        "↗ Charts · https://charts.example/", "",
      ])
    quote.contentWarning = "Storm"
    quoting.quotes = [quote]
    let hidden = lines(cell(quoting))
    #expect(hidden.contains("▎ ⚠ Storm · x shows it") && !hidden.contains("▎ Quoted."))
    #expect(lines(cell(quoting, isRevealed: true)).contains("▎ Quoted."))
  }

  @Test func tagsOfTheTextAreNotRepeated() {
    var tagged = post
    tagged.body.append(" ")
    tagged.body.append("#Pier", style: TextStyle(role: .tag))
    tagged.tags = ["pier", "harbour"]
    #expect(lines(cell(tagged)).suffix(2) == ["#harbour", ""])
  }

  @Test func aWarningHidesAllButItself() {
    var warned = post
    warned.contentWarning = "Storm"
    warned.pictures = [
      Post.Picture(url: ColoredPicture.url(color: 1, size: .init(width: 80, height: 80)))
    ]
    warned.tags = ["pier"]
    warned.poll = Post.Poll(options: [Post.Poll.Option(title: "Ebb", votes: 3)])
    warned.counts = Post.Counts(likes: 40)
    let hidden = cell(warned)
    #expect(
      lines(hidden) == ["Buoy @buoy@sea.example · 2 h", "⚠ Storm · x shows it", "", "★ 40", ""])
    #expect(images(hidden).allSatisfy { $0.placeholder == .none })
    let shown = cell(warned, isRevealed: true)
    let all = lines(shown)
    #expect(all[1...2] == ["⚠ Storm · x hides it", "Words of the buoy."])
    #expect(all.contains("#pier") && all.contains("██████████ 100%  Ebb"))
    #expect(images(shown).allSatisfy { $0.placeholder == .loading })
    // The same cell, configured again.
    shown.configure(with: warned, info: TimelineInfo(), screenHeight: 30)
    #expect(lines(shown) == lines(hidden))
  }

  @Test func sensitivePicturesAreHiddenAlone() {
    var sensitive = post
    sensitive.isSensitive = true
    #expect(!lines(cell(sensitive)).contains { $0.contains("sensitive") })
    for color in UInt32(1)...2 {
      sensitive.pictures.append(
        Post.Picture(url: ColoredPicture.url(color: color, size: .init(width: 80, height: 80))))
    }
    #expect(
      lines(cell(sensitive))[1...2] == [
        "⚠ sensitive: 2 pictures · x shows it", "Words of the buoy.",
      ])
    #expect(images(cell(sensitive)).allSatisfy { $0.placeholder == .none })
    #expect(images(cell(sensitive, isRevealed: true)).allSatisfy { $0.placeholder == .loading })
  }

  @Test func aFilterFoldsThePost() {
    var filtered = post
    filtered.filter = "sport"
    let folded = cell(filtered)
    #expect(lines(folded) == ["⚠ filtered: sport · x shows it", ""])
    #expect(lines(folded, width: 20) == ["⚠ filtered: sport", "· x shows it", ""])
    folded.configure(with: filtered, info: TimelineInfo(), screenHeight: 30, isRevealed: true)
    #expect(
      lines(folded) == [
        "Buoy @buoy@sea.example · 2 h", "⚠ filtered: sport · x hides it", "Words of the buoy.", "",
      ])
  }

  @Test func aWarningOfNothingHidesNothing() {
    var empty = post
    (empty.body, empty.title) = (StyledText(), StyledText("Title"))
    empty.contentWarning = "adult"
    #expect(PostCover(of: empty) == nil)
    #expect(lines(cell(empty)).contains("⚠ adult"))
  }
}

extension PostCell {
  /// What it draws on so many columns.
  fileprivate func canvas(width: Int) -> Canvas {
    let height = heightThatFits(width: width)
    layout(width: width, height: height)
    var canvas = Canvas(size: Size(width: width, height: height))
    render(into: &canvas, origin: .zero)
    return canvas
  }
}

extension StyledText {
  fileprivate var isBold: Bool {
    paragraphs.flatMap(\.runs).allSatisfy { $0.style.traits.contains(.bold) }
  }
}

import Feeds
import HTTP
import ImageLoading
import Pictures
import TerminalViews
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TerminalApp
@testable import TimelineStore
@testable import TimelineUI

/// The article of an opened post, printed by a program that tests stand in for.
@MainActor @Suite struct ArticleTests {
  /// A program that ends when the test says so.
  @MainActor private final class Program {
    private(set) var words: [[String]] = []
    private var waiting: [CheckedContinuation<Result<[UInt8], ProgramFailure>, Never>] = []
    private(set) var isCancelled = false

    func run(_ words: [String]) async -> Result<[UInt8], ProgramFailure> {
      self.words.append(words)
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { waiting.append($0) }
      } onCancel: {
        Task { @MainActor [weak self] in
          self?.isCancelled = true
          self?.end(.failure(ProgramFailure(reason: "stopped")))
        }
      }
      return result
    }

    func end(_ result: Result<[UInt8], ProgramFailure>) {
      let ended = waiting
      waiting = []
      for continuation in ended { continuation.resume(returning: result) }
    }

    func print(_ html: String) { end(.success(Array(html.utf8))) }
  }

  @MainActor private final class Opened {
    let program = Program()
    let content: ThreadContent
    let list = ListView(name: "list")
    private(set) var effects: [ListEffect] = []

    init(_ post: Post, article: String? = "rdrview -H %s") {
      let reader = ArticleReader()
      reader.connect { [program] words, limit, patience in
        #expect(limit == 4 << 20 && patience == .seconds(30))
        return await program.run(words)
      }
      if let article { _ = reader.setting.change(article) }
      let pictures = PictureStore(
        loader: ImageLoader(
          configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
          decoder: ColoredDecoder()),
        depth: .none)
      let surroundings = ThreadContent.Surroundings(
        info: TimelineInfo(), context: PostCell.Context(pictures: pictures, clock: .fixed(at: 0)),
        nearby: { [] }, reader: nil, article: reader)
      content = ThreadContent(of: post, isRevealed: false, in: surroundings)
      list.frame = Rect(x: 0, y: 0, width: 80, height: 40)
      list.dataSource = content
      list.delegate = content
    }

    func attach() {
      content.attach(to: list) { [weak self] in self?.effects.append($0) }
    }

    func wait(until isSo: () -> Bool) async { await eventually(isSo) }

    /// The texts of all rows' first labels.
    var notes: [String] {
      list.layoutList()
      return (0..<list.numberOfRows).compactMap { row in
        let cell = list.cellForRow(at: IndexPath(row: row)) as? NoteCell
        let label = cell?.placeProviders.first as? Label
        return label?.text.plainText
      }
    }
  }

  private var post: Post {
    var post = Post(id: "7")
    post.title = StyledText("High water")
    post.body = StyledText("A summary.")
    post.url = "https://x.example/7"
    return post
  }

  @Test func thePageReadsTheArticleOfAPostWithATitle() async throws {
    let opened = Opened(post)
    opened.attach()
    #expect(opened.content.activity == "rdrview reads the article")
    #expect(opened.notes.contains("── rdrview reads the article … · e stops it"))
    await opened.wait { !opened.program.words.isEmpty }
    #expect(opened.program.words == [["rdrview", "-H", "https://x.example/7"]])
    opened.program.print(
      #"<html><body><p>All of it.</p><img src="/pier.png" alt="The pier"></body></html>"#)
    await opened.wait { opened.content.activity.isEmpty }
    #expect(opened.list.numberOfRows == 4)
    #expect(opened.notes.contains("── the article, by rdrview"))
    let article = try #require(opened.content.post(ofRow: 2))
    #expect(article.body.plainText.contains("All of it."))
    #expect(article.pictures.map(\.url) == ["https://x.example/pier.png"])
    #expect(article.url == "https://x.example/7" && article.author == nil)
    #expect(opened.list.cellForRow(at: IndexPath(row: 2)) is PostCell)
    #expect(opened.content.post(ofRow: 1)?.id == "7" && opened.content.open(row: 2) == nil)
    // The key goes there; the program is not started again.
    #expect(opened.content.readArticle() == .done)
    #expect(opened.effects.contains(.show(row: 1)) && opened.program.words.count == 1)
    opened.content.opened.close()
  }

  @Test func aPostOfANetworkWaitsForTheKey() async {
    var status = post
    status.title = StyledText()
    status.externalURL = "https://y.example/story"
    let opened = Opened(status)
    opened.attach()
    #expect(opened.content.activity.isEmpty && opened.list.numberOfRows == 2)
    #expect(opened.content.readArticle() == .done)
    await opened.wait { opened.program.words == [["rdrview", "-H", "https://y.example/story"]] }
    #expect(opened.list.numberOfRows == 3)
    // The key stops it, too.
    #expect(opened.content.readArticle() == .done)
    #expect(opened.effects.contains(.tell("stopped: rdrview")))
    await opened.wait { opened.program.isCancelled }
    #expect(opened.list.numberOfRows == 2 && opened.content.message == nil)
  }

  @Test func failuresAreOneLine() async {
    let opened = Opened(post)
    opened.attach()
    await opened.wait { !opened.program.words.isEmpty }
    opened.program.end(.failure(ProgramFailure(reason: "rdrview ended with status 1: no \u{1B}[m")))
    await opened.wait { opened.content.message != nil }
    #expect(opened.content.message?.text.hasPrefix("article: rdrview ended with status 1") == true)
    #expect(
      opened.notes.contains { $0.hasPrefix("── the article could not be read: rdrview ended") })
    // Tried again by the key; nothing is no article.
    #expect(opened.content.readArticle() == .done)
    await opened.wait { opened.program.words.count == 2 }
    opened.program.print("<html><head><title>T</title></head><body> </body></html>")
    await opened.wait { opened.content.message != nil }
    #expect(opened.content.message?.text == "article: rdrview printed no article")
  }

  @Test func closingThePageStopsTheProgram() async {
    let opened = Opened(post)
    opened.attach()
    await opened.wait { !opened.program.words.isEmpty }
    opened.content.opened.close()
    await opened.wait { opened.program.isCancelled }
    #expect(opened.content.message == nil)
  }

  /// What a warning hides is not read without being asked for, and then stays behind the warning.
  @Test func warningsHideTheArticle() async throws {
    var hidden = post
    hidden.contentWarning = "storm"
    let opened = Opened(hidden)
    opened.attach()
    #expect(opened.content.activity.isEmpty)
    #expect(opened.content.readArticle() == .done)
    await opened.wait { !opened.program.words.isEmpty }
    opened.program.print("<p>The pier is gone.</p>")
    await opened.wait { opened.content.activity.isEmpty }
    opened.list.layoutList()
    let cell = opened.list.cellForRow(at: IndexPath(row: 2)) as? PostCell
    #expect(cell?.isRevealed == false && !opened.content.isRevealed(row: 2))
    #expect(opened.content.toggleCover(ofRow: 2).contains(2))
    #expect(opened.content.isRevealed(row: 2) && !opened.content.isRevealed(row: 0))
    opened.content.opened.close()
  }

  @Test func withoutAProgramOrAddressTheKeyIsRefused() {
    let none = Opened(post, article: nil)
    none.attach()
    #expect(
      none.content.readArticle() == .refused("no program reads articles; set article names one"))
    for address in [nil, "mailto:a@x.example", "gemini://x.example/", "javascript:1"] {
      var post = post
      post.url = address
      let opened = Opened(post)
      opened.attach()
      #expect(opened.content.readArticle() == .refused("this post leads to no article"))
      #expect(opened.list.numberOfRows == 2)
    }
  }

  @Test func theSettingIsChecked() {
    let reader = ArticleReader()
    #expect(reader.setting.current() == "off" && !reader.isSet)
    #expect(reader.setting.change("rdrview -H %s") == .done)
    #expect(reader.setting.current() == "rdrview -H %s" && reader.name == "rdrview")
    guard case .refused(let reason) = reader.setting.change("sh -c 'curl %s'") else {
      Issue.record("it would run what a link says")
      return
    }
    #expect(reason.contains("would run what a link says"))
    #expect(reader.setting.change("'x") != .done && reader.isSet)
    #expect(reader.setting.change("off") == .done && !reader.isSet)
  }

  // MARK: Pipes

  @Test(arguments: [
    ("wc -l", false, false, ["wc", "-l"]), ("--json jq '.a b'", false, true, ["jq", ".a b"]),
    ("terminal less", true, false, ["less"]),
    ("terminal --json less --json", true, true, ["less", "--json"]),
    ("--json terminal less", true, true, ["less"]),
    ("terminal terminal", true, false, ["terminal"]),
  ])
  func programsForPostsAreRead(
    line: String, usesTerminal: Bool, isJSON: Bool, words: [String]
  ) throws {
    let pipe = try #require(PostPipe(line))
    #expect(pipe.usesTerminal == usesTerminal && pipe.isJSON == isJSON && pipe.words == words)
  }

  @Test(arguments: ["", "  ", "--json", "terminal", "terminal --json", "wc '"])
  func linesWithoutAProgramAreRefused(line: String) { #expect(PostPipe(line) == nil) }

  @Test func theyReadTextOrJSON() throws {
    let text = String(
      decoding: try #require(PostPipe("wc")).text(of: post, now: 0), as: UTF8.self)
    #expect(text == "High water\n\nA summary.\n\nhttps://x.example/7\n")
    let json = String(
      decoding: try #require(PostPipe("--json jq")).text(of: post, now: 0), as: UTF8.self)
    #expect(json.hasPrefix(#"{"id":"7","url":"https://x.example/7","title":"High water","#))
    #expect(json.hasSuffix("}\n") && json.filter { $0 == "\n" }.count == 1)
  }
}

import Feeds
import Pictures
import Terminal
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore
import VirtualList

/// A whole post, between the posts it answers and its answers, as the rows of a list screen:
///
///     the posts it answers …
///     the post, with all its pictures
///     its article, if a program prints it, below a line about that
///     the state of loading its thread, if a server was asked or there are answers
///     its answers …
///     its details: dates, source, links
///
/// The post shows at once. The other posts come from nearby rows and from its server; the visible
/// rows stay in place when they arrive. The details follow when the server has answered, as answers
/// above them would move them.
@MainActor final class ThreadContent: ListContent, PostActions {
  private enum Row {
    case post(Post, depth: Int)
    /// What becomes of the article.
    case articleState
    case article(Post)
    case details
    case state
  }

  /// The dependencies of the content apart from the post.
  struct Surroundings {
    var info: TimelineInfo
    /// Shared with the list that the post was opened from.
    var context: PostCell.Context
    /// The posts near this one in its timeline.
    var nearby: @MainActor () async -> [Post]
    /// Requests threads from the post's server; `nil` if no requests are allowed.
    var reader: ThreadReader?
    /// The program that prints articles.
    var article: ArticleReader
    /// The post in the timeline that keeps its marks.
    var markTarget: @MainActor () -> MarkTarget? = { nil }
  }

  private enum State {
    case loading(server: String)
    case done
    /// The reason, without the requested address, which is long and means nothing to readers.
    case failed(String)
  }

  /// The post that was opened.
  let post: Post
  private let surroundings: Surroundings
  private var thread = PostThread()
  private var rows: [(id: RowID, row: Row)] = []
  private var numbers: [String: RowID] = [:]
  private var revealed: Set<RowID> = []
  private var state = State.done
  private var tasks: [Task<Void, Never>] = []
  private weak var list: ListView?
  private var onEffect: (ListEffect) -> Void = { _ in }
  private lazy var openedArticle = OpenedArticle(of: post, by: article) { [weak self] in
    self?.update()
  }

  /// The identities of rows without a post; those of posts begin with 10.
  private static let detailsID = RowID(1)
  private static let stateID = RowID(2)
  private static let articleStateID = RowID(3)
  private static let articleID = RowID(4)
  /// The levels of answers that have an indent of their own.
  private static let deepest = 6
  /// The pictures of the post that are shown; in a list there are fewer.
  static let maximumPictures = 64

  /// - Parameter isRevealed: whether the reader has already revealed content behind its warning.
  init(of post: Post, isRevealed: Bool, in surroundings: Surroundings) {
    self.post = post
    self.surroundings = surroundings
    if isRevealed { revealed = [id(of: post)] }
    if surroundings.reader != nil, let server = ThreadReader.server(of: post) {
      state = .loading(server: server)
    }
    rows = currentRows()
  }

  // MARK: Rows

  private func id(of post: Post) -> RowID {
    let id = numbers[post.id] ?? RowID(UInt64(numbers.count) + 10)
    numbers[post.id] = id
    return id
  }

  private func currentRows() -> [(id: RowID, row: Row)] {
    var seen: Set<RowID> = []
    let all =
      thread.ancestors.map { (id(of: $0), Row.post($0, depth: 0)) }
      + [(id(of: post), .post(post, depth: 0))] + articleRows
      + stateRows
      + thread.answers.map { (id(of: $0.post), .post($0.post, depth: $0.depth)) }
      + (isLoading ? [] : [(Self.detailsID, .details)])
    return all.filter { seen.insert($0.0).inserted }.map { (id: $0.0, row: $0.1) }
  }

  /// Only a server that was asked can say that there are no answers.
  private var stateRows: [(RowID, Row)] {
    let isKnown = asksServer || !thread.answers.isEmpty
    return isKnown ? [(Self.stateID, Row.state)] : []
  }

  private var asksServer: Bool {
    surroundings.reader != nil && ThreadReader.server(of: post) != nil
  }

  private var isLoading: Bool { if case .loading = state { true } else { false } }

  private var articleRows: [(RowID, Row)] {
    guard openedArticle.note != nil else { return [] }
    let article = openedArticle.article.map { (Self.articleID, Row.article($0)) }
    return [(Self.articleStateID, Row.articleState)] + [article].compactMap { $0 }
  }

  /// The screen of this content, which begins with the post itself.
  var opened: OpenedPost {
    OpenedPost(content: self, row: rows.firstIndex { $0.id == id(of: post) } ?? 0, close: close)
  }

  private func update() {
    let old = rows.map(\.id)
    rows = currentRows()
    guard let list else { return }
    if let article = openedArticle.article, let shape = shape(of: .article(article)) {
      PostCell.register([shape], surroundings.context, in: list)
    }
    let notes = [Self.detailsID, Self.stateID, Self.articleStateID]
    do throws(ListUpdateError) {
      try list.applySnapshot(
        rows.map(\.id), replacing: old,
        reloading: Set(notes).intersection(old).intersection(rows.map(\.id)))
      // Posts that it answers are older, so they do not count as new rows.
      list.forgetNewRows()
    } catch {
      list.reloadData()
    }
    onEffect(.changed)
  }

  // MARK: Reading

  private func start() {
    if PostCover(of: post) == nil || revealed.contains(id(of: post)) {
      openedArticle.startIfUsual()
    }
    tasks.append(
      Task { [weak self, surroundings, post] in
        let nearby = await surroundings.nearby()
        guard !Task.isCancelled, let self else { return }
        thread.merge(PostThread(of: post, among: nearby, isWhole: false))
        update()
      })
    guard let reader = surroundings.reader, case .loading = state else { return }
    tasks.append(
      Task { [weak self, post] in
        let result: Result<PostThread?, SourceError>
        do throws(SourceError) {
          result = .success(try await reader.thread(of: post))
        } catch {
          result = .failure(error)
        }
        guard !Task.isCancelled else { return }
        self?.take(result)
      })
  }

  private func take(_ result: Result<PostThread?, SourceError>) {
    switch result {
    case .success(let found):
      state = .done
      if var found {
        // The server's order and posts take precedence.
        found.merge(thread)
        thread = found
      }
    case .failure(let error): state = .failed(Sanitizer.line(error.reason.text))
    }
    update()
  }

  private func close() {
    for task in tasks { task.cancel() }
    tasks = []
    openedArticle.stop()
  }

  // MARK: ListContent

  var title: String {
    let name = post.author?.shownName ?? surroundings.info.title
    return name.isEmpty ? "post" : "post by \(name)"
  }

  var rowName: String { "row" }
  var isComplete: Bool { true }

  func position(ofRow row: Int) -> String? {
    guard rows.indices.contains(row), let own = rows.firstIndex(where: { $0.id == id(of: post) })
    else { return nil }
    let answers = rows.indices.filter { index in
      if case .post = rows[index].row { index > own } else { false }
    }
    switch rows[row].row {
    case .post where row == own:
      return answers.isEmpty ? "the post" : "the post · \(answers.count.counted("answer"))"
    case .post where row < own:
      return own == 1 ? "the post it answers" : "above the post, \(row + 1) of \(own)"
    case .post:
      return "answer \((answers.firstIndex(of: row) ?? 0) + 1) of \(answers.count)"
    case .articleState, .article: return "its article"
    case .state: return "its answers"
    case .details: return "its details"
    }
  }

  var activity: String {
    let thread = if case .loading(let server) = state { "asking \(server) for answers" } else { "" }
    return [openedArticle.activity, thread].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  var message: (text: String, isError: Bool)? {
    if let reason = openedArticle.failure { return ("article: \(reason)", true) }
    return if case .failed(let reason) = state { ("thread: \(reason)", true) } else { nil }
  }

  var notes: [String] { ["A post with what it answers above it and its answers below."] }

  func hint(forRow row: Int) -> String { "" }

  func attach(to list: ListView, onEffect: @escaping (ListEffect) -> Void) {
    (self.list, self.onEffect) = (list, onEffect)
    let shapes = PostCell.Shape.all.union(rows.compactMap { shape(of: $0.row) })
    PostCell.register(shapes, surroundings.context, in: list)
    list.register(
      { [reading] in NoteCell(reading: reading) },
      forCellReuseIdentifier: NoteCell.identifier)
    list.estimatedRowHeight = 6
    list.maximumTrailingRoom = SidePictures.widest
    start()
  }

  private func shape(of row: Row) -> PostCell.Shape? {
    switch row {
    case .post(let other, _):
      PostCell.Shape(
        of: other, showsPictures: pictures.showsPictures,
        atMost: other.id == post.id ? Self.maximumPictures : Post.maximumPictures)
    case .article(let article):
      PostCell.Shape(
        of: article, showsPictures: pictures.showsPictures, atMost: Self.maximumPictures)
    case .articleState, .details, .state: nil
    }
  }

  func didShow(rows: Range<Int>) {}

  // MARK: PostActions

  var pictures: PictureStore { surroundings.context.pictures }
  var reading: ReadingWidth { surroundings.context.reading }
  var clock: PostClock { surroundings.context.clock }
  var timeline: PostListContent? { nil }

  func post(ofRow row: Int) -> Post? {
    guard rows.indices.contains(row) else { return nil }
    return post(of: rows[row].row)?.0 ?? post
  }

  var article: ArticleReader { surroundings.article }

  func readArticle() -> CommandOutcome {
    if openedArticle.isReading {
      openedArticle.stop()
      onEffect(.tell("stopped: \(article.name)"))
    } else if let row = rows.firstIndex(where: { $0.id == Self.articleStateID }),
      openedArticle.article != nil
    {
      onEffect(.show(row: row))
    } else {
      return openedArticle.start()
    }
    return .done
  }

  /// Only the opened post is known to be in the timeline.
  func markTarget(ofRow row: Int) -> MarkTarget? {
    post(ofRow: row)?.id == post.id ? surroundings.markTarget() : nil
  }

  func isRevealed(row: Int) -> Bool {
    guard rows.indices.contains(row) else { return false }
    if case .article = rows[row].row { return revealed.contains(rows[row].id) }
    return post(ofRow: row).map { revealed.contains(id(of: $0)) } ?? false
  }

  func open(row: Int) -> OpenedPost? {
    guard rows.indices.contains(row), case .post(let other, _) = rows[row].row,
      other.id != post.id
    else { return nil }
    var inner = surroundings
    let posts = thread.ancestors + [post] + thread.answers.map(\.post)
    inner.nearby = { posts }
    inner.markTarget = { nil }
    return ThreadContent(of: other, isRevealed: isRevealed(row: row), in: inner).opened
  }

  func toggleCover(ofRow row: Int) -> [Int] {
    guard rows.indices.contains(row), let (other, _) = post(of: rows[row].row),
      PostCover(of: other) != nil
    else { return [] }
    let id = rows[row].id
    if revealed.remove(id) == nil { revealed.insert(id) }
    // The details include links and tags that the cover hides.
    return rows.indices.filter { $0 == row || rows[$0].id == Self.detailsID }
  }

  // MARK: ListViewDataSource

  func numberOfRows(in listView: ListView) -> Int { rows.count }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    rows[indexPath.row].id
  }

  func listView(_ listView: ListView, indexPathFor id: RowID) -> IndexPath? {
    rows.firstIndex { $0.id == id }.map { IndexPath(row: $0) }
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let (id, row) = rows[indexPath.row]
    guard let (other, depth) = post(of: row), let shape = shape(of: row) else {
      let cell = listView.dequeueReusableCell(
        NoteCell.self, withIdentifier: NoteCell.identifier, for: indexPath)
      cell.show(text(of: row))
      return cell
    }
    let cell = listView.dequeueReusableCell(
      PostCell.self, withIdentifier: shape.reuseIdentifier, for: indexPath)
    cell.indent = min(max(0, depth - 1), Self.deepest) * 2
    cell.configure(
      with: other, info: info(of: row), screenHeight: listView.frame.height,
      isRevealed: revealed.contains(id))
    return cell
  }

  /// The timeline that a row's post belongs to: for an article, its server.
  private func info(of row: Row) -> TimelineInfo {
    guard case .article(let article) = row else { return surroundings.info }
    return TimelineInfo(title: article.url.flatMap { try? LinkAddress($0) }?.host ?? "")
  }

  /// The post in a row's cell, and its depth among the answers; `nil` for a note.
  private func post(of row: Row) -> (Post, depth: Int)? {
    switch row {
    case .post(let other, let depth): (other, depth)
    case .article(let article): (article, 0)
    case .articleState, .details, .state: nil
    }
  }

  private func text(of row: Row) -> StyledText {
    if case .articleState = row { return openedArticle.note ?? StyledText() }
    if case .details = row {
      return PostDetails.text(
        of: post, answering: thread.ancestors.last, isRevealed: revealed.contains(id(of: post)),
        in: surroundings.info)
    }
    let words: String
    switch state {
    case .loading(let server): words = "asking \(server) for answers …"
    case .failed(let reason):
      words = "the thread could not be read: \(reason)"
    case .done:
      let count =
        thread.answers.isEmpty
        ? "no answers are known" : thread.answers.count.counted("answer")
      words = thread.isCut ? "\(count); the others are left out" : count
    }
    return StyledText("── " + Sanitizer.line(words), style: .secondary)
  }
}

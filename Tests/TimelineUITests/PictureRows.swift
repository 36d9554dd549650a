import Feeds
import Geometry
import ImageLoading
import Pixels
import Terminal
import TerminalViews
import TestSupport
import TextLayout
import VirtualList

@testable import Pictures
@testable import TimelineUI

/// Real post cells with real pictures in a list over an array, and the screen it is drawn on.
@MainActor final class PictureRows: ListViewDataSource, ListViewDelegate {
  /// Which caches there are.
  enum Caches: CaseIterable { case all, few, none }

  struct Row {
    var id: UInt64
    var post: Post

    /// The URLs of what it shows.
    var urls: [String] { post.pictures.map(\.url) + [post.author?.avatar].compactMap(\.self) }
  }

  private(set) var rows: [Row] = []
  let list = ListView(name: "list")
  let transport = ColoredTransport()
  let pictures: PictureStore
  /// URLs of which anything has ever arrived.
  private(set) var arrived: Set<String> = []
  /// Those since it was emptied last.
  var justArrived: Set<String> = []
  /// URLs of what has been turned into cells since then.
  var justRendering: Set<String> = []
  private(set) var errors: [ListUpdateError] = []
  private var random: SeededGenerator
  private var nextID: UInt64 = 0
  private var nextColor: UInt32 = 0x10_10_10
  private let avatars: [String]

  init(seed: UInt64, caches: Caches, count: Int) {
    random = SeededGenerator(seed: seed)
    var configuration = ImageLoaderConfiguration()
    configuration.usesCache = caches != .none
    if caches == .few { configuration.memoryCacheCount = 4 }
    pictures = PictureStore(
      loader: ImageLoader(
        configuration: configuration, transport: transport, decoder: ColoredDecoder()),
      depth: .trueColor, cacheBytes: caches == .few ? 20_000 : 24 << 20,
      keepsCells: caches != .none)
    avatars = (1...3).map {
      ColoredPicture.url(color: 0x80_00_00 + UInt32($0), size: PixelSize(width: 64, height: 64))
    }
    let context = PostCell.Context(pictures: pictures, clock: .fixed(at: 0))
    for shape in PostCell.Shape.all {
      list.register(
        { PostCell(shape, context: context) }, forCellReuseIdentifier: shape.reuseIdentifier)
    }
    pictures.loader.onTrace = { [weak self] event in
      guard [.header, .done, .failed].contains(event.state) else { return }
      self?.arrived.insert(event.url)
      self?.justArrived.insert(event.url)
    }
    rows = (0..<count).map { _ in makeRow() }
    list.frame = Rect(x: 0, y: 0, width: 49, height: 16)
    list.dataSource = self
    list.delegate = self
    list.onUpdateError = { [weak self] in self?.errors.append($0) }
  }

  // MARK: Content

  private func makeRow() -> Row {
    nextID += 1
    return Row(id: nextID, post: makePost(nextID))
  }

  private func makePost(_ id: UInt64) -> Post {
    var post = Post(id: "\(id)")
    post.title = StyledText("row \(id)")
    let paragraphs = [0, 1, 1, 2, 3, 4][Int.random(in: 0...5, using: &random)]
    for paragraph in 0..<paragraphs {
      post.body.beginParagraph()
      post.body.append(
        (0..<Int.random(in: 1...16, using: &random)).map { "p\(paragraph)w\($0)" }
          .joined(separator: " "))
    }
    // In the text, attached, or some of each: those in the text come first.
    let places = (0..<[0, 0, 1, 1, 2, 3][Int.random(in: 0...5, using: &random)]).map { _ in
      Bool.random(using: &random) ? nil : Int.random(in: 0...paragraphs, using: &random)
    }
    for place in places.sorted(by: { $0 ?? .max < $1 ?? .max }) {
      nextColor += 1
      let size = PixelSize(
        width: Int.random(in: 8...400, using: &random),
        height: Int.random(in: 8...400, using: &random))
      var picture = Post.Picture(
        url: ColoredPicture.url(color: nextColor, size: size), place: place)
      if Bool.random(using: &random) {
        (picture.width, picture.height) = (size.width, size.height)
      }
      post.pictures.append(picture)
    }
    if Int.random(in: 0...3, using: &random) == 0 {
      post.author = Post.Author(name: "author", avatar: avatars.randomElement(using: &random))
    }
    return post
  }

  /// Says something else in a row from now on.
  func change(row: Int) { rows[row].post = makePost(rows[row].id) }

  func insert(at row: Int) {
    rows.insert(makeRow(), at: row)
    list.insertRows(at: [IndexPath(row: row)])
  }

  func remove(at row: Int) {
    rows.remove(at: row)
    list.deleteRows(at: [IndexPath(row: row)])
  }

  func move(from row: Int, to target: Int) {
    let moved = rows.remove(at: row)
    rows.insert(moved, at: target)
    list.moveRow(at: IndexPath(row: row), to: IndexPath(row: target))
  }

  // MARK: The list's questions

  func numberOfRows(in listView: ListView) -> Int { rows.count }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(rows[indexPath.row].id)
  }

  func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int? {
    rows[indexPath.row].post.pictures.count
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let post = rows[indexPath.row].post
    let shape = PostCell.Shape(of: post, showsPictures: pictures.showsPictures)
    let cell = listView.dequeueReusableCell(
      withIdentifier: shape.reuseIdentifier, for: indexPath)
    (cell as? PostCell)?.configure(with: post, info: TimelineInfo(), screenHeight: 12)
    return cell
  }

  func listView(
    _ listView: ListView, willDisplay cell: ListViewCell, forRowAt indexPath: IndexPath
  ) { (cell as? PostCell)?.picturePriority = .visible }

  func listView(
    _ listView: ListView, didEndDisplaying cell: ListViewCell, forRowAt indexPath: IndexPath
  ) { (cell as? PostCell)?.picturePriority = .near }

  // MARK: The screen

  /// A frame, as the screen draws one, without the scroll bar.
  struct Frame {
    /// What shows, with each row's lines of cells.
    var visible: [(row: ListModel.VisibleRow, id: UInt64, urls: [String])]
    var lines: [[CanvasCell]]
  }

  func frame(preparesSurroundings: Bool = true) -> Frame {
    pictures.deferRequests()
    list.layoutList(preparesSurroundings: preparesSurroundings)
    pictures.resumeRequests()
    var canvas = Canvas(size: list.frame.size)
    list.render(into: &canvas, origin: .zero)
    let lines = (0..<canvas.size.height).map { y in
      (0..<canvas.size.width - 1).map { canvas[$0, y] }
    }
    return Frame(
      visible: list.visibleFrames.map { ($0, rows[$0.row].id, rows[$0.row].urls) }, lines: lines)
  }
}

extension PictureRows.Frame {
  /// The rows by identity, with where they are, and their pictures.
  var rows: String {
    visible.map { "\($0.id)@\($0.row.y)+\($0.row.height)\($0.urls)" }.joined(separator: " ")
  }

  /// The screen lines on which a row shows.
  func lines(of row: ListModel.VisibleRow) -> Range<Int> {
    max(0, row.y)..<min(lines.count, row.maxY)
  }

  /// The characters on the screen's line, without the blanks around them.
  func text(onLine y: Int) -> String {
    var text = ""
    for cell in lines[y] where cell.width > 0 {
      text.unicodeScalars.append(Unicode.Scalar(cell.scalars.0) ?? "?")
    }
    return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The colours that are of no picture: the theme's, and those of initials.
  private static let others: Set<Int32> = {
    let theme = Theme.standard
    let initials = Initials.badge(of: Post.Author(name: "author")).map { theme.block($0.number) }
    let colors = [
      theme.text, theme.secondary, theme.accent, theme.mark, theme.warning, theme.error,
      theme.code, theme.title, theme.placeholder, theme.track, initials?.foreground,
      initials?.background,
    ]
    return Set(colors.compactMap { $0?.rawValue })
  }()

  /// The 24-bit colours on the screen's line that are of pictures.
  func colors(onLine y: Int) -> Set<Int32> {
    var colors: Set<Int32> = []
    for cell in lines[y] {
      let (foreground, background) = (
        cell.style.foreground.rawValue, cell.style.background.rawValue
      )
      if foreground >= 256 { colors.insert(foreground) }
      if background >= 256 { colors.insert(background) }
    }
    return colors.subtracting(Self.others)
  }
}

import Feeds
import HTTP
import ImageLoading
import TerminalViews
import VirtualList

/// A timeline's posts as the rows of a list screen.
@MainActor public final class PostListContent: ListContent {
  private let store: TimelineStore
  private let source: String
  public let pictures: PictureStore
  private let theme: Theme
  private let now: Double
  private weak var screen: ListScreen?

  /// Called when the source turns out to hold nothing that can be shown.
  public var onFailure: ((SourceError) -> Void)?

  /// - Parameters:
  ///   - source: what the status line calls it.
  ///   - now: seconds since 1970, from which the age of posts is told.
  public init(
    store: TimelineStore, source: String, pictures: PictureStore, theme: Theme = .standard,
    now: Double
  ) {
    self.store = store
    self.source = source
    self.pictures = pictures
    self.theme = theme
    self.now = now
  }

  public var title: String { store.info.title.isEmpty ? source : store.info.title }
  public var rowName: String { "post" }
  public var isComplete: Bool { store.isComplete }

  public var activity: String {
    var parts: [String] = []
    if case .loading = store.state { parts.append("loading") }
    let pictures = PictureActivity.text(of: pictures.loader.activity)
    if !pictures.isEmpty { parts.append(pictures) }
    return parts.joined(separator: " · ")
  }

  public var message: (text: String, isError: Bool)? {
    if case .failed(let error) = store.state { return (error.message, true) }
    return nil
  }

  public var notes: [String] {
    ["\(title): \(store.posts.count) \(store.posts.count == 1 ? "post" : "posts")."]
  }

  public func attach(to screen: ListScreen) {
    self.screen = screen
    let list = screen.listView
    for count in 0...PostCell.maximumPictures {
      let context = PostCell.Context(pictures: pictures, theme: theme, now: now)
      list.register(
        { PostCell(pictureCount: count, context: context) },
        forCellReuseIdentifier: Self.identifier(pictures: count))
    }
    list.estimatedRowHeight = 6
    store.onChange = { [weak self] change in self?.storeChanged(change) }
    pictures.loader.onActivityChange = { [weak self] _ in self?.screen?.setNeedsFrame() }
    store.start()
  }

  private static func identifier(pictures count: Int) -> String { "post+\(count)" }

  private func storeChanged(_ change: TimelineStore.Change) {
    switch change {
    case .appended(let rows):
      screen?.listView.insertRows(at: rows.map { IndexPath(row: $0, section: 0) })
    case .info: break
    case .state:
      if case .failed(let error) = store.state, store.posts.isEmpty { onFailure?(error) }
    }
    screen?.setNeedsFrame()
  }

  public func didShow(rows: Range<Int>) { store.want(upToRow: rows.upperBound) }

  public func visibilityChanged(of cell: ListViewCell, isVisible: Bool) {
    (cell as? PostCell)?.picturePriority = isVisible ? .visible : .near
  }

  // MARK: ListViewDataSource

  public func numberOfRows(in listView: ListView) -> Int { store.posts.count }

  public func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  public func listView(_ listView: ListView, kindForRowAt indexPath: IndexPath) -> Int {
    min(store.posts[indexPath.row].pictures.count, PostCell.maximumPictures)
  }

  public func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let post = store.posts[indexPath.row]
    let shown = pictures.showsPictures ? min(post.pictures.count, PostCell.maximumPictures) : 0
    let cell = listView.dequeueReusableCell(
      withIdentifier: Self.identifier(pictures: shown), for: indexPath)
    (cell as? PostCell)?.configure(
      with: post, info: store.info, screenHeight: listView.frame.height)
    return cell
  }
}

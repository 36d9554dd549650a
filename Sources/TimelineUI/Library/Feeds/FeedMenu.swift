import ConstraintLayout
import Geometry
import Subscriptions
import TerminalApp
import TerminalViews
import TextLayout

/// The list of the feeds that a page names, to choose one of them.
@MainActor package final class FeedMenu: View, Responder, StatusProviding {
  /// How the menu is shown, which decides what leaving it means.
  package enum Placement {
    /// As the only content of the screen.
    case screen
    /// Over another screen.
    case panel
  }

  private let page: String
  private let placement: Placement
  private let list: List<FoundFeed>
  /// Called with the chosen feed, or `nil` if the user leaves the menu.
  private let onEnd: (FeedMenu, FoundFeed?) -> Void
  package private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  /// - Parameters:
  ///   - page: the name of the page.
  ///   - onEnd: called with the chosen feed, or `nil` if the user leaves the menu.
  package init(
    _ feeds: [FoundFeed], of page: String, placement: Placement,
    onEnd: @escaping (FeedMenu, FoundFeed?) -> Void
  ) {
    self.page = Sanitizer.line(page)
    (self.placement, self.onEnd) = (placement, onEnd)
    list = List(feeds, cell: FeedMenuCell.self)
    super.init(name: "feed menu")
    addSubview(list)
    list.itemName = "feed"
    list.searchText = { "\($0.title)\n\($0.address)" }
    list.onActivate = { [weak self] in self?.end($0) }
  }

  override package var frame: Rect {
    didSet { list.frame = Rect(origin: .zero, size: frame.size) }
  }

  private static let commands: [Command<FeedMenu>] = [
    Command("back", "q", "escape", help: "") { menu, _ in menu.end(nil) }
  ]

  private func end(_ feed: FoundFeed?) { onEnd(self, feed) }

  // MARK: Status

  package var helpTitle: String { "Feeds of a page" }
  package var helpNotes: [String] {
    ["\(page) names several feeds. Enter chooses one of them."]
  }

  package var status: StatusBar.Content {
    var status = list.status
    status.source = "\(page) names \(list.items.count.counted("feed"))"
    let keys = list.isSearching ? "" : application?.keyHint([([("activate", "enter")], "chooses")])
    status.hint = [keys ?? "", status.hint].filter { !$0.isEmpty }.joined(separator: "   ")
    status.persistentHint = list.pane.persistentHint(isBack: placement == .panel)
    return status
  }
}

/// A feed in the menu: its title, and its address below.
@MainActor private final class FeedMenuCell: ItemCell<FoundFeed> {
  private let title = Label(name: "title")
  private let address = Label(name: "address")

  override func setUp() {
    for label in [title, address] {
      addSubview(label)
      label.leading(offset: 2)
      label.trailing(offset: -1)
    }
    title.top()
    address.top(to: title, edge: .bottom)
    bottom(to: address, offset: 1)
  }

  override func show(_ item: FoundFeed) {
    title.text = StyledText(
      item.title.isEmpty ? item.address : item.title, style: TextStyle(traits: .bold))
    address.text =
      item.title.isEmpty ? StyledText() : StyledText(item.address, style: .secondary)
  }
}

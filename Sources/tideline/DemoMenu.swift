import Demos
import Geometry
import TerminalApp
import TerminalViews
import TextLayout

/// The list of demos, to choose from.
@MainActor final class DemoMenu: View, StatusProviding {
  /// A demo in the list.
  struct Item: Identifiable {
    let demo: Demo
    var id: String { demo.rawValue }
  }

  private let list = List(Demo.allCases.map(Item.init), cell: DemoMenuCell.self)
  /// The demo that was chosen; `nil` before.
  private(set) var chosen: Demo?

  /// - Parameters:
  ///   - last: the demo to select, which was shown before.
  ///   - onChoice: called when the user has chosen.
  init(selecting last: Demo?, onChoice: @escaping () -> Void) {
    super.init(name: "demos")
    addSubview(list)
    list.title = "demos"
    list.itemName = "demo"
    list.onActivate = { [weak self] item in
      self?.chosen = item.demo
      onChoice()
    }
    if let last, let row = Demo.allCases.firstIndex(of: last) { list.pane.go(to: .row(row)) }
  }

  override var frame: Rect {
    didSet { list.frame = Rect(origin: .zero, size: frame.size) }
  }

  var hasCaption: Bool { true }

  var status: StatusBar.Content {
    var status = list.status
    status.caption = DemoCaption.text(
      "`j` and `k` go to a demo, `Enter` opens it; `q` leads back here")
    return status
  }

  var helpNotes: [String] {
    [
      "Each demo shows one part of what tideline is made of, with the cells, the list and the fetch "
        + "queue of the program itself. The line above the status says what to look at and which "
        + "key to press.",
      "tideline demo NAME opens one of them at once; tideline demo --list prints their names.",
    ]
  }
}

/// A demo's name, and what there is to see.
@MainActor final class DemoMenuCell: ItemCell<DemoMenu.Item> {
  /// The columns of the names.
  private static let nameWidth = 14.0

  private let title = Label(name: "title", numberOfLines: 1)
  private let invitation = Label(name: "invitation")

  override func setUp() {
    addSubview(title)
    addSubview(invitation)
    title.top()
    title.leading(offset: 2)
    title.width(Self.nameWidth)
    invitation.top()
    invitation.leading(to: title, edge: .trailing)
    invitation.trailing(offset: -1)
    bottom(to: invitation, offset: 1)
  }

  override func show(_ item: DemoMenu.Item) {
    title.text = StyledText(item.demo.rawValue, style: TextStyle(role: .tag, traits: .bold))
    invitation.text = StyledText(item.demo.invitation)
  }
}

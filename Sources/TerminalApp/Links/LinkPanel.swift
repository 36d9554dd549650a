import ConstraintLayout
import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A list of links over the content, with their real addresses, to open or copy them.
@MainActor final class LinkPanel: View, Responder {
  /// A link and its number in the list.
  private struct Entry: Identifiable, Hashable {
    let id: Int
    let link: Link
  }

  private final class EntryCell: ItemCell<Entry> {
    private let number = Label(numberOfLines: 1)
    private let text = Label(numberOfLines: 1)
    private let address = Label(numberOfLines: 4)

    override func setUp() {
      for label in [number, text, address] { addSubview(label) }
      number.leading(offset: 2)
      number.width(4)
      number.top()
      text.leading(to: number, edge: .trailing)
      text.trailing(offset: -2)
      text.top()
      address.leading(to: text)
      address.trailing(offset: -2)
      address.top(to: text, edge: .bottom)
      address.bottom()
    }

    override func show(_ item: Entry) {
      number.text = StyledText("\(item.id)", style: TextStyle(role: .secondary))
      let words = item.link.words(atMost: 1_000)
      text.text = StyledText(words.isEmpty ? " " : words, style: TextStyle(traits: .bold))
      switch item.link.target {
      case .success(let target):
        var shown = StyledText()
        let link = shown.addLink(target.text)
        shown.append(target.text, style: TextStyle(role: .link, link: link))
        address.text = shown
      case .failure(let refusal):
        address.text = StyledText("not opened: \(refusal.reason)", style: TextStyle(role: .warning))
      }
    }
  }

  /// Called to open a link.
  var onOpen: ((Link) -> Void)?
  /// Called to copy a link's address.
  var onCopy: ((Link) -> Void)?
  private let list: List<Entry>
  private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  init(_ links: [Link]) {
    let entries = links.enumerated().map { Entry(id: $0.offset + 1, link: $0.element) }
    list = List(entries, cell: EntryCell.self)
    super.init(name: "links")
    addSubview(list)
    list.onActivate = { [weak self] in self?.open($0.link) }
  }

  private static let commands: [Command<LinkPanel>] = [
    Command("open-link", "o", help: "open the link; with a count, that one") { panel, call in
      panel.withLink(call) { $0.open($1) }
    },
    Command("copy-link", "y", help: "copy its address; with a count, that one's") { panel, call in
      panel.withLink(call) { panel, link in panel.onCopy?(link) }
    },
    Command("close", "q", "escape", "u", help: "") { panel, _ in panel.close() },
  ]

  private func withLink(
    _ call: CommandCall, _ action: (LinkPanel, Link) -> Void
  ) -> CommandOutcome {
    let index = call.count.map { $0 - 1 } ?? list.pane.currentRow
    guard list.items.indices.contains(index) else {
      return .refused("only \(list.items.count.counted("link")) here")
    }
    action(self, list.items[index].link)
    return .done
  }

  private func open(_ link: Link) {
    close()
    onOpen?(link)
  }

  private func close() { application?.window.dismiss(self) }

  override var frame: Rect {
    didSet { list.frame = Rect(origin: .zero, size: frame.size) }
  }

  var hint: String? {
    application?.keyHint([
      ([("activate", "enter")], "opens"), ([("copy-link", "y")], "copies"),
      ([("close", "q")], "closes"),
    ])
  }

  /// The preferred height in rows, with the border.
  var wantedRows: Int { min(2 + list.items.count * 2, 24) }
}

/// Shows the address of a link whose text is different, before it is opened.
@MainActor final class LinkQuestion: View, Responder {
  /// Called when the reader wants to open the link.
  var onOpen: (() -> Void)?
  /// Called when the reader wants to copy the address.
  var onCopy: (() -> Void)?
  private let label = Label()
  private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  init(_ target: LinkAddress) {
    super.init(name: "link question")
    label.text = StyledText(target.text, style: TextStyle(traits: .bold))
    addSubview(label)
  }

  private static let commands: [Command<LinkQuestion>] = [
    Command("open-link", "enter", "o", help: "") { question, _ in
      question.close()
      question.onOpen?()
    },
    Command("copy-link", "y", help: "") { question, _ in
      question.close()
      question.onCopy?()
    },
    Command("close", "q", "escape", help: "") { question, _ in question.close() },
  ]

  private func close() { application?.window.dismiss(self) }

  var canBeFocused: Bool { true }

  var hint: String? {
    application?.keyHint([
      ([("open-link", "enter")], "or a click opens it"), ([("copy-link", "y")], "copies it"),
      ([("close", "q")], "leaves it"),
    ])
  }

  func mouse(_ event: MouseEvent) -> Bool {
    guard event.kind == .press(.left) else { return false }
    close()
    onOpen?()
    return true
  }

  override var frame: Rect {
    didSet {
      label.frame = Rect(x: 1, y: 0, width: max(0, frame.width - 2), height: frame.height)
    }
  }

  /// The height in rows at a width of `columns`, with the border.
  func wantedRows(columns: Int) -> Int {
    min(2 + label.textFrame(width: max(1, columns - 4)).lines.count, 12)
  }
}

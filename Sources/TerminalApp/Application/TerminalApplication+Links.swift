import Geometry
import Terminal
import TerminalViews
import TextLayout

/// Links: following, listing and copying them.
extension TerminalApplication {
  /// Opens a link in the user's browser, or shows why not. Without a display for a browser, as over
  /// ssh, the address is shown and copied.
  ///
  /// - Complexity: O(n) in the address.
  public func open(_ link: Link) {
    switch link.target {
    case .failure(let refusal): refuse("not opened: \(refusal.reason)")
    case .success(let target):
      guard !opener.open(target) else { return }
      tell("no display to open it on: \(target)", .information)
      clipboard.copy(target.text, as: "no display; link", detail: target.text)
    }
  }

  /// Opens a link, after showing its address unless its text is the address.
  public func follow(_ link: Link) {
    guard case .success(let target) = link.target, !link.showsItsAddress else {
      return open(link)
    }
    let question = LinkQuestion(target)
    question.onOpen = { [weak self] in self?.open(link) }
    question.onCopy = { [weak self] in self?.copyAddress(of: link) }
    window.present(
      question, at: .bottom(rows: question.wantedRows(columns: display.size.width)),
      title: "This link leads to")
  }

  /// Shows links with their addresses in a panel, where they can be opened and copied.
  ///
  /// - Complexity: O(n) in the links.
  public func showLinks(_ links: [Link]) {
    guard !links.isEmpty else { return tell("no links here", .hint) }
    let panel = LinkPanel(links)
    panel.onOpen = { [weak self] in self?.open($0) }
    panel.onCopy = { [weak self] in self?.copyAddress(of: $0) }
    let count = links.count
    window.present(
      panel, at: .bottom(rows: panel.wantedRows), title: count == 1 ? "1 link" : "\(count) links")
  }

  /// Copies a link's address, or shows why not.
  public func copyAddress(of link: Link) {
    switch link.target {
    case .failure(let refusal): refuse("not copied: \(refusal.reason)")
    case .success(let target): copy(target.text, as: "link")
    }
  }

  /// Copies `text` to the clipboard, and shows how, or why not.
  ///
  /// - Parameter name: the name in the status line, as `link`.
  /// - Complexity: O(n) in the text.
  public func copy(_ text: String, as name: String) { clipboard.copy(text, as: name) }

  // MARK: The pointer

  /// The link on the screen at a point, with all of its text that is visible.
  func link(at point: Point) -> Link? {
    guard let canvas = display.shownCanvas, canvas.bounds.contains(point) else { return nil }
    let number = canvas[point.x, point.y].link
    guard let address = LinkGroup.address(of: number) else { return nil }
    return Link(address, text: canvas.text(ofLink: number))
  }

  func addLinkSettings() {
    settings.add([
      Setting(
        "opener-terminal", values: ["auto", "on", "off"],
        help: "whether the opener shows pages on the terminal; auto knows w3m, lynx and the like",
        current: { [unowned self] in opener.usesTerminal.map { $0 ? "on" : "off" } ?? "auto" }
      ) { [unowned self] value in
        opener.usesTerminal = value == "auto" ? nil : value == "on"
        return .done
      },
      Setting(
        "opener", values: ["auto"], other: "PROGRAM",
        help: "what opens links, %s being the address; auto is $BROWSER, or xdg-open",
        current: { [unowned self] in opener.command?.joined(separator: " ") ?? "auto" }
      ) { [unowned self] value in
        do throws(CommandRefusal) {
          try opener.setCommand(value == "auto" ? "" : value)
          return .done
        } catch {
          return .refused(error.reason)
        }
      },
    ])
  }
}

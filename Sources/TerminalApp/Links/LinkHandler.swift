import Geometry
import Terminal
import TerminalViews
import TextLayout

/// Follows, lists and copies links.
@MainActor final class LinkHandler {
  let opener: LinkOpener
  private let clipboard: Clipboard
  private let window: Window
  private let display: any Display
  private let notices: StatusMessages

  init(
    opener: LinkOpener, clipboard: Clipboard, window: Window, display: any Display,
    notices: StatusMessages
  ) {
    (self.opener, self.clipboard) = (opener, clipboard)
    (self.window, self.display, self.notices) = (window, display, notices)
  }

  /// Opens a link in the user's browser, or shows why not. Without a display for a browser, as over
  /// ssh, the address is shown and copied.
  ///
  /// - Complexity: O(n) in the address.
  func open(_ link: Link) {
    switch link.target {
    case .failure(let refusal): notices.refuse("not opened: \(refusal.reason)")
    case .success(let target):
      guard !opener.open(target, as: link.kind) else { return }
      notices.tell("no display to open it on: \(target)", .information)
      clipboard.copy(target.text, as: "no display; link", detail: target.text)
    }
  }

  /// Opens a link, after showing its address unless its text is the address.
  func follow(_ link: Link) {
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

  /// Shows links with their addresses in a panel, to open or copy them.
  ///
  /// - Complexity: O(n) in the links.
  func show(_ links: [Link]) {
    guard !links.isEmpty else { return notices.tell("no links here", .hint) }
    let panel = LinkPanel(links)
    panel.onOpen = { [weak self] in self?.open($0) }
    panel.onCopy = { [weak self] in self?.copyAddress(of: $0) }
    window.present(
      panel, at: .bottom(rows: panel.wantedRows), title: links.count.counted("link"))
  }

  /// Copies a link's address, or shows why not.
  func copyAddress(of link: Link) {
    switch link.target {
    case .failure(let refusal): notices.refuse("not copied: \(refusal.reason)")
    case .success(let target): copy(target.text, as: "link")
    }
  }

  /// Copies `text` to the clipboard, and shows how, or why not.
  ///
  /// - Parameter name: the name in the status line, as `link`.
  /// - Complexity: O(n) in the text.
  func copy(_ text: String, as name: String) { clipboard.copy(text, as: name) }

  /// The link on the screen at a point, with all of its text that is visible.
  func link(at point: Point) -> Link? {
    guard let canvas = display.shownCanvas, canvas.bounds.contains(point) else { return nil }
    let number = canvas[point.x, point.y].link
    guard let address = LinkGroup.address(of: number) else { return nil }
    return Link(address, text: canvas.text(ofLink: number))
  }
}

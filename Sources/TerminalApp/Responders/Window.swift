import Geometry
import Terminal
import TerminalViews
import TextLayout

/// The views on the screen: the content, a panel beside it, modal panels over it, and the status
/// lines.
///
///     ┌───────────────────┬────────────┐
///     │ content           │ side panel │   a modal panel covers both, or a part of them
///     ├───────────────────┴────────────┤
///     │ status                         │   if the content provides a status
///     └────────────────────────────────┘
@MainActor public final class Window {
  /// The view that fills the screen, except for panels.
  public let content: View
  private let contentRoot: RootView
  weak var application: TerminalApplication?
  /// A panel that receives all events.
  private struct ModalPanel {
    let view: View
    let root: RootView
    let placement: PanelPlacement
    /// The view that had the focus before.
    weak var focusBefore: View?
  }

  /// Ordered from the bottom to the top.
  private var panels: [ModalPanel] = []
  /// All side panels, open or not.
  private var sidePanels: [any SidePanel] = []
  private var sideRoot: RootView?
  private let statusBar = StatusBar(name: "status")
  private weak var focusedView: View?
  /// The view under the last button press, which receives the drags and the release.
  private weak var pressedView: View?
  /// The style of all views without a theme of their own.
  public var theme: Theme {
    didSet {
      guard theme != oldValue else { return }
      statusBar.theme = theme
      for tree in trees + [sideRoot].compactMap(\.self) { tree.theme = theme }
      application?.setNeedsFrame()
    }
  }
  private var size = Size.zero

  init(_ content: View, theme: Theme) {
    self.content = content
    self.theme = theme
    contentRoot = RootView(content)
    contentRoot.window = self
    contentRoot.theme = theme
    statusBar.theme = theme
  }

  private func rooted(_ panel: View) -> RootView {
    let root = RootView(panel)
    root.window = self
    root.theme = theme
    return root
  }

  /// The source of the status lines and of the help page's texts: the topmost full-screen panel
  /// that provides a status, or else the content.
  var provider: (any StatusProviding)? {
    for panel in panels.reversed() where panel.placement.isFull {
      if let provider = panel.view as? any StatusProviding { return provider }
    }
    return content as? any StatusProviding
  }

  /// Whether the top panel is a page with status lines and help of its own, rather than a question.
  private var showsPage: Bool { panels.last.map { $0.view is any StatusProviding } ?? false }

  // MARK: Layout

  /// Places all views on a screen of `size`.
  func layout(size: Size) {
    self.size = size
    let area = Rect(x: 0, y: 0, width: size.width, height: max(0, size.height - statusHeight))
    contentRoot.frame = sidePanel?.arrange(in: area) ?? area
    for panel in panels { panel.root.frame = panel.placement.frame(in: area, of: size) }
    layoutTrees()
  }

  /// Draws everything again, and lays it out again if `changesLayout`: the terminal has reported
  /// how it draws.
  func displayDidChange(changesLayout: Bool) {
    for tree in trees + [sideRoot].compactMap(\.self) {
      if changesLayout {
        tree.forEachView {
          $0.setNeedsLayout()
          ($0 as? ListView)?.replaceCells()
        }
      }
      tree.themeDidChange()
    }
    application?.setNeedsFrame()
  }

  private var statusHeight: Int {
    provider == nil ? 0 : StatusBar.height(forScreenHeight: size.height) + captionHeight
  }

  /// Kept while a panel covers the content, which would otherwise be laid out again below it.
  private var captionHeight: Int {
    (content as? any StatusProviding)?.hasCaption == true ? StatusBar.captionHeight(on: size) : 0
  }

  /// Call this when a side panel needs another part of the screen.
  public func setNeedsArrangement() { layout(size: size) }

  /// The trees of the content and of the modal panels over it.
  private var trees: [RootView] { [contentRoot] + panels.map(\.root) }

  private func layoutTrees() {
    for tree in trees { tree.layoutIfNeeded() }
  }

  // MARK: Panels

  /// Shows a modal panel, which receives all keys and pointer events until it is dismissed.
  ///
  /// - Parameters:
  ///   - placement: by default everything but the status lines.
  ///   - title: the text in the border, if there is one.
  public func present(
    _ panel: any Responder, at placement: PanelPlacement = .full, title: String = ""
  ) {
    let root = rooted(placement.hasBorder ? Border(panel, title: title) : panel)
    panels.append(
      ModalPanel(view: panel, root: root, placement: placement, focusBefore: focusedView))
    layout(size: size)
    application?.didAdd(root)
    application?.setNeedsFrame()
  }

  /// Removes a modal panel, if it is shown; the focus returns to the view that had it before.
  public func dismiss(_ panel: any Responder) {
    guard let index = panels.firstIndex(where: { $0.view === panel }) else { return }
    let gone = panels.remove(at: index)
    if focusedView?.root === gone.root { focusedView = gone.focusBefore }
    panel.removeFromSuperitem()
    application?.setNeedsFrame()
  }

  /// The modal panel that receives keys, if any.
  public var modalPanel: View? { panels.last?.view }

  /// The open side panel, if any.
  public var sidePanel: (any SidePanel)? { sideRoot?.content as? any SidePanel }

  /// Registers a side panel, to list its commands on the help page; `toggle(_:)` opens it.
  public func add(_ panel: any SidePanel) { sidePanels.append(panel) }

  /// Closes a side panel if it is open; otherwise opens it in place of any other.
  public func toggle(_ panel: any SidePanel) {
    let old = sidePanel
    sideRoot = nil
    if let old {
      old.removeFromSuperitem()
      old.didClose()
    }
    if old !== panel {
      sideRoot = rooted(panel)
      if let application { panel.willOpen(in: application) }
    }
    layout(size: size)
  }

  // MARK: Drawing

  /// Whether the content is visible, at least in part.
  private var showsContent: Bool { panels.allSatisfy { !$0.placement.isFull } }

  /// Whether a view of the content or of a modal panel is on the screen, and not in a tree that a
  /// full-screen panel covers. False in a side panel.
  package func shows(_ view: View) -> Bool {
    guard let root = view.root as? RootView else { return false }
    if root === contentRoot { return showsContent }
    return panels[(panels.lastIndex { $0.placement.isFull } ?? 0)...].contains { $0.root === root }
  }

  /// The part of the screen that views always redraw completely, so that it need not be cleared.
  private var coveredArea: Rect {
    guard showsContent, let list = contentRoot.firstShownList else { return .zero }
    return Rect(origin: list.cornerOnScreen, size: list.frame.size)
  }

  /// Calls `body` with each responder on the screen.
  func forEachResponder(_ body: (any Responder) -> Void) {
    for tree in trees {
      for responder in tree.allResponders { body(responder) }
    }
  }

  /// Updates all views for a frame.
  func prepareFrame() {
    layoutTrees()
    forEachResponder { $0.prepareFrame() }
    updateStatus()
  }

  /// Draws all views, replacing the canvas's old content.
  func draw(on canvas: inout Canvas) {
    if canvas.size == size {
      canvas.clear(outside: coveredArea)
    } else {
      canvas = Canvas(size: size)
    }
    if showsContent {
      contentRoot.render(into: &canvas, origin: contentRoot.frame.origin)
      if let panel = sidePanel {
        panel.draw(over: &canvas)
        panel.render(into: &canvas, origin: panel.frame.origin)
        tint(panel.frame, on: &canvas)
      }
    }
    statusBar.render(into: &canvas, origin: statusBar.frame.origin)
    for panel in panels[(panels.lastIndex { $0.placement.isFull } ?? 0)...] {
      let frame = panel.root.frame
      canvas.fill(frame, with: CanvasCell())
      panel.root.render(into: &canvas, origin: frame.origin)
      if panel.placement.hasBorder { tint(frame, on: &canvas) }
      // A message takes a line of a panel that leaves none for the status.
      if panel.placement.isFull {
        statusBar.render(into: &canvas, origin: statusBar.frame.origin)
      }
    }
    for tree in trees { tree.markDisplayed() }
  }

  /// Gives a panel the background that the theme has for it.
  private func tint(_ area: Rect, on canvas: inout Canvas) {
    guard theme.panel != .default else { return }
    canvas.restyle(area) { [panel = theme.panel] style in
      if style.background == .default { style.background = panel }
    }
  }

  private func updateStatus() {
    let notices = application?.notices
    // A message takes a line even if there is no status.
    let height = max(statusHeight, notices?.current == nil ? 0 : min(1, size.height))
    statusBar.frame = Rect(x: 0, y: size.height - height, width: size.width, height: height)
    statusBar.captionHeight = captionHeight
    var status = provider?.status ?? StatusBar.Content()
    notices?.recordContentMessage(status.message, isError: status.messageIsError)
    // A hint does not replace a message of the content.
    if let notice = notices?.current, notice.kind != .hint || status.message.isEmpty {
      status.message = notice.text
      status.messageIsError = notice.kind == .failure
      status.makeRoomForMessage(in: size.width, keepsPosition: !notice.kind.comesFirst)
    }
    status.pending = application?.dispatcher.pendingKeys ?? ""
    let panel = modalPanel as? any Responder
    if let hint = panel?.hint ?? sidePanel?.hint {
      (status.hint, status.persistentHint) = (hint, "")
    }
    statusBar.content = status
  }

  /// The position of the terminal's cursor on the screen.
  var cursor: Cursor? {
    guard let focused = focusedResponder, var cursor = focused.cursor else { return nil }
    let corner = focused.cornerOnScreen
    cursor.position = cursor.position.offset(dx: corner.x, dy: corner.y)
    return cursor
  }

  // MARK: Focus

  /// The tree that receives keys.
  private var activeRoot: RootView { panels.last?.root ?? contentRoot }

  /// The view with the focus: the one that ``focus(_:)`` was called with, else the first that can
  /// have it, else the panel or the content itself.
  public var focusedResponder: (any Responder)? {
    if let view = focusedView, view.root === activeRoot, let responder = view.asResponder {
      return responder
    }
    return activeRoot.firstFocusable ?? (modalPanel ?? content).asResponder
  }

  /// Gives the focus to `view`.
  public func focus(_ view: any Responder) {
    guard focusedView !== view else { return }
    focusedView?.setNeedsDisplay()
    focusedView = view
    view.setNeedsDisplay()
    application?.setNeedsFrame()
  }

  /// Moves the focus to the next view that can have it, wrapping at the last.
  ///
  /// - Returns: `false` if there is no other one.
  @discardableResult public func moveFocus(by step: Int = 1) -> Bool {
    let all = activeRoot.focusable
    guard all.count > 1 else { return false }
    let index = all.firstIndex { $0 === focusedResponder } ?? 0
    focus(all[((index + step) % all.count + all.count) % all.count])
    return true
  }

  /// The focused view, if it takes text.
  var textInput: (any TextInput)? { focusedResponder as? any TextInput }

  // MARK: Events

  /// The tables that keys are looked up in, in order.
  var commandTables: [CommandTable] {
    let responders = focusedResponder?.responders ?? []
    guard panels.isEmpty else {
      let priority = responders.reversed().compactMap(\.priorityCommands)
      return priority + responders.map(\.commands) + tablesOfPanel
    }
    var tables = responders.reversed().compactMap(\.priorityCommands)
    if let sidePanel { tables.append(sidePanel.commands) }
    return tables + responders.map(\.commands) + ownTables
  }

  /// The tables whose commands are on the help page.
  var documentedTables: [CommandTable] {
    let own = (focusedResponder?.responders ?? []).map(\.commands)
    guard !showsPage else { return own + tablesOfPanel }
    return own + sidePanels.map(\.commands) + ownTables
  }

  private var ownTables: [CommandTable] {
    application?.dispatcher.commands.tables ?? []
  }

  private var tablesOfPanel: [CommandTable] {
    application?.dispatcher.commands.tablesOfPanel(isPage: showsPage) ?? []
  }

  /// The tables of all views, panels and the application, regardless of the focus.
  var allCommandTables: [CommandTable] {
    var tables: [CommandTable] = []
    contentRoot.forEachView {
      if let responder = $0.asResponder { tables.append(responder.commands) }
    }
    return tables + sidePanels.map(\.commands) + ownTables
  }

  /// Sends a pointer event to the view under the pointer, or to the one that was pressed.
  func send(_ event: MouseEvent) {
    let isPress = if case .press = event.kind { true } else { false }
    let responders: [any Responder]
    if isPress {
      pressedView = nil
      responders = view(at: event.position)?.responders ?? []
    } else {
      responders = [pressedView].compactMap { $0?.asResponder }
    }
    for responder in responders {
      let corner = responder.cornerOnScreen
      var inside = event
      inside.position = event.position.offset(dx: -corner.x, dy: -corner.y)
      guard responder.mouse(inside) else { continue }
      if isPress { pressedView = responder }
      break
    }
    if case .release = event.kind { pressedView = nil }
  }

  /// The innermost view at a point of the screen.
  private func view(at point: Point) -> View? {
    var contents = [activeRoot.content]
    if panels.isEmpty, let panel = sidePanel { contents.insert(panel, at: 0) }
    for content in contents {
      let corner = content.cornerOnScreen
      if let found = content.view(at: point.offset(dx: -corner.x, dy: -corner.y)) { return found }
    }
    return nil
  }

  /// The tables for a step of the wheel: those of the views under the pointer come first.
  func commandTables(at point: Point) -> [CommandTable] {
    (view(at: point)?.responders ?? []).map(\.commands) + commandTables
  }
}

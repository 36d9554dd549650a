import ConstraintLayout
import Geometry
import Pictures
import System
import Terminal
import TerminalApp
import TerminalViews
import TextLayout

/// Shows why a cell is laid out as it is, and the state of the list and its pictures.
///
/// 1. It only reads, except for its keys, which change the list's width, constraints of the cell,
///    and the pictures' gate. Closing undoes all three, but does not open a gate that was closed
///    from the start.
/// 2. Apart from its keys it never requests a frame: it is drawn when another part has requested
///    one.
/// 3. While closed it observes nothing; its only commands are F12 and, if pictures were held back
///    from the start, `i`.
/// 4. The panel gets part of the screen at any size: beside the list or below it.
@MainActor package final class LayoutInspector: View, SidePanel {
  /// The minimum area for list and panel side by side.
  static let minimumSideBySideSize = Size(width: 76, height: 9)
  static let minimumListWidth = 12
  static let minimumPanelWidth = 28

  private let pane: ListPane
  private let pictures: PictureStore
  private let panel = InspectorPanel(name: "inspector page")
  private weak var hostApplication: TerminalApplication?
  package private(set) lazy var commands: CommandTable = CommandTable(
    of: self, Self.commands, below: .inspector)
  /// `nil` while it is closed.
  private var observation: ListObservation?
  private var frameTimes = FrameTimes()
  private var selection = InspectorSelection()
  /// The list's width, in columns, that the user has requested with keys, or `nil`.
  private var requestedWidth: Int?
  /// The maximum width of the list until the user requests one; `nil` for no limit.
  private var widestList: Int?
  private let arrivals: HeldArrivals
  private let switches = ConstraintOverrides()

  /// - Parameter pictureAddress: returns the address of a cell's only picture, which is let in
  ///   before others; `nil` if the cell has none or several.
  package init(
    of pane: ListPane, pictures: PictureStore,
    pictureAddress: @escaping (ListViewCell) -> String? = { _ in nil }
  ) {
    self.pane = pane
    self.pictures = pictures
    arrivals = HeldArrivals(of: pictures.loader, address: pictureAddress)
    super.init(name: "inspector")
    addSubview(panel)
  }

  private var list: ListView { pane.listView }

  /// Binds F12 to open and close it in `application`; if pictures are held back from the start, `i`
  /// lets them in even while it is closed.
  package func add(to application: TerminalApplication) {
    application.window.add(self)
    let opening = Command<LayoutInspector>(
      "inspect", "f12",
      help: "layout inspector: why each cell is as high as it is, what list and pictures do"
    ) { [weak application] inspector, _ in application?.window.toggle(inspector) }
    application.commands.add([opening], of: self, below: .inspector)
    guard arrivals.wasPausedAtStart else { return }
    let admitting = Command<LayoutInspector>(
      "admit-held-arrival", "i", help: "let in one of the pictures that are held back"
    ) { [weak application] inspector, _ in
      if let reason = inspector.admit() { application?.tell(reason, .hint) }
    }
    application.commands.add([admitting], of: self, below: .inspector)
  }

  // MARK: Opening and arranging

  package func willOpen(in application: TerminalApplication) {
    hostApplication = application
    frameTimes = FrameTimes()
    widestList = inspected?.cell.widestInspectedWidth.map { $0 + list.frame.width - list.rowWidth }
    observation = ListObservation(of: pane)
    application.add(self)
  }

  /// Closes, and undoes the changes made with its keys.
  package func didClose() {
    requestedWidth = nil
    switches.undo()
    arrivals.end()
    observation?.end()
    observation = nil
    hostApplication?.remove(self)
  }

  package var hint: String? {
    "F12 closes  < > width  [ ] J K panel  v c e x why  p i pictures"
  }

  /// Puts the panel beside the list if there is room for both, else below it; also below it if the
  /// requested width of the list leaves too little room beside it.
  package func arrange(in area: Rect) -> Rect {
    guard observation != nil else { return area }
    let most = area.width - Self.minimumPanelWidth
    let preferred = max(34, min(64, area.width * 9 / 20))
    let isWide =
      area.width >= Self.minimumSideBySideSize.width
      && area.height >= Self.minimumSideBySideSize.height
    let width =
      requestedWidth ?? min(isWide ? area.width - preferred : area.width, widestList ?? .max)
    panel.isBelow = !isWide || width > most
    let limit = panel.isBelow ? area.width : most
    let listWidth = max(min(Self.minimumListWidth, limit), min(width, limit))
    if requestedWidth != nil { requestedWidth = listWidth }
    var list = area
    list.size.width = listWidth
    if panel.isBelow {
      list.size.height = area.height / 2
      frame = Rect(
        x: area.minX, y: list.maxY, width: area.width, height: area.height - list.height)
    } else {
      frame = Rect(
        x: list.maxX, y: area.minY, width: area.width - listWidth, height: area.height)
    }
    panel.frame = Rect(origin: .zero, size: frame.size)
    return list
  }

  /// Makes the list wider or narrower: by `columns`, or, without a typed number, across the next
  /// width at which the cell switches its constraints.
  private func setWidth(_ direction: Int, columns: Int?) {
    let now = list.frame.width
    var step = columns ?? 1
    if columns == nil, let cell = inspected?.cell {
      let rows = list.rowWidth
      let targets = cell.switchWidths.map { direction < 0 ? $0 - 1 : $0 }
      let distances = targets.map { ($0 - rows) * direction }.filter { $0 > 0 }
      if let nearest = distances.min() { step = nearest }
    }
    let (wanted, isOver) = now.addingReportingOverflow(direction * step)
    requestedWidth = isOver ? now : wanted
    hostApplication?.window.setNeedsArrangement()
  }

  // MARK: Keys

  private static let commands: [Command<LayoutInspector>] = [
    .asked("next-view-of-cell", "v", help: "next view") { inspector, _ in
      inspector.stepView(1)
    },
    .asked("previous-view-of-cell", "V", help: "previous view") {
      inspector, _ in inspector.stepView(-1)
    },
    .asked("next-constraint", "c", help: "next constraint") {
      inspector, _ in inspector.stepConstraint(1)
    },
    .asked("previous-constraint", "C", help: "previous constraint") {
      inspector, _ in inspector.stepConstraint(-1)
    },
    Command("toggle-constraint", "x", help: "switch that constraint off and on") {
      inspector, _ in inspector.carryOut { inspector.toggle() }
    },
    .asked("next-edge", "e", help: "why the view's next edge is where it is") {
      $0.selection.stepEdge($1)
      $0.panel.reveal(.reasons)
    },
    Command("narrower", "<", help: "the list narrower, to where a cell switches") {
      $0.setWidth(-1, columns: $1.count)
    },
    Command("wider", ">", help: "the list wider, to where a cell switches") {
      $0.setWidth(1, columns: $1.count)
    },
    Command("column-narrower", "left", help: "the list a column narrower") {
      $0.setWidth(-1, columns: $1.times)
    },
    Command("column-wider", "right", help: "the list a column wider") {
      $0.setWidth(1, columns: $1.times)
    },
    .asked("pause-arrivals", "p", help: "hold pictures back") {
      inspector, _ in inspector.arrivals.toggle()
    },
    Command("admit-arrival", "i", help: "let one of them in") { inspector, _ in
      inspector.carryOut { inspector.admit() }
    },
    .asked("next-section", "tab", help: "next section of the panel") {
      inspector, _ in inspector.panel.stepSection(1)
    },
    .asked("previous-section", "shift-tab", help: "previous section") {
      inspector, _ in inspector.panel.stepSection(-1)
    },
    .asked("panel-down", "J", help: "scroll the panel down") {
      $0.panel.scroll(by: $1)
    },
    .asked("panel-up", "K", help: "scroll the panel up") {
      $0.panel.scroll(by: -$1)
    },
    .asked("panel-page-down", "]", help: "a page of the panel down") {
      $0.panel.scroll(byPages: $1)
    },
    .asked("panel-page-up", "[", help: "a page of the panel up") {
      $0.panel.scroll(byPages: -$1)
    },
  ]

  /// Runs a key's action and shows the message that it returns.
  fileprivate func carryOut(_ action: () -> String?) {
    guard let application = hostApplication else { return }
    if let text = action() { application.tell(text, .hint) }
    application.window.setNeedsArrangement()
  }

  private func admit() -> String? { arrivals.admit(first: inspected?.cell) }

  private func stepView(_ step: Int) {
    guard let cell = inspected?.cell else { return }
    selection.stepView(step, in: LayoutSnapshot(of: cell))
    panel.reveal(.view)
  }

  private func stepConstraint(_ step: Int) {
    guard let cell = inspected?.cell,
      selection.stepConstraint(step, in: LayoutSnapshot(of: cell))
    else { return }
    panel.reveal(.constraint)
  }

  private func toggle() -> String? {
    guard let constraint = selection.constraint, let cell = inspected?.cell,
      constraint.first.item?.root === cell
    else { return "press c first, to select a constraint" }
    guard constraint.origin == .code else {
      return "only constraints made by code can be switched"
    }
    switches.toggle(constraint, of: cell)
    list.noteHeightChanged(of: cell)
    panel.reveal(.constraint)
    return constraint.error.map { "\($0)" }
  }

  // MARK: Drawing

  /// The selected row if it is visible, else the first visible one.
  private var inspected: (row: Int, y: Int, cell: ListViewCell)? {
    let visible = list.visibleFrames
    // Switching a constraint by hand may leave a row without height.
    if let row = list.lastSelectedRow, let cell = list.cellForRow(at: IndexPath(row: row)),
      cell === switches.cell, cell.frame.height == 0,
      let below = visible.first(where: { $0.row > row })
    {
      return (row, below.y, cell)
    }
    let selected = list.indexPathForSelectedRow?.row
    guard let shown = visible.first(where: { $0.row == selected }) ?? visible.first,
      let cell = list.cellForRow(at: IndexPath(row: shown.row))
    else { return nil }
    return (shown.row, shown.y, cell)
  }

  package func draw(over content: inout Canvas) {
    guard let observation else { return }
    observation.measureDrift()
    let inspected = inspected
    switches.undo(unless: inspected?.cell)
    observation.noteChanges(inspected: inspected?.row)
    var report = InspectorReport()
    if let (_, y, cell) = inspected { add(cell, y: y, observation, to: &report, over: &content) }
    report.addList(list, drift: observation.drift)
    report.addPictures(pictures)
    report.addFrames(frameTimes.recent)
    panel.page = report.page
    panel.title = title(inspected, drift: observation.drift)
  }

  private func add(
    _ cell: ListViewCell, y: Int, _ observation: ListObservation,
    to report: inout InspectorReport, over content: inout Canvas
  ) {
    let layout = LayoutSnapshot(of: cell)
    selection.clamp(to: layout)
    let ambiguity = layout.constraints.isEmpty ? nil : cell.layoutAmbiguity()
    let corner = list.cornerOnScreen
    let tints = ViewTints(
      views: layout.views, theme: theme, depth: hostApplication?.colorDepth ?? .none)
    tints.draw(
      selected: selection.view,
      shown: layout.bottoms.compactMap(\.view) + [layout.holdingView].compactMap(\.self),
      holder: layout.holdingView, ambiguity: ambiguity, in: &content,
      at: corner.offset(dx: list.rowMargin, dy: y),
      area: Rect(
        x: corner.x, y: corner.y, width: list.frame.width - 1, height: list.frame.height))
    report.addCell(
      layout, note: cell.layoutNote, change: observation.changes.last,
      growth: observation.changes.growth(drift: observation.drift.worst), color: tints.color)
    let view = layout.views[selection.view].view
    let edge = selection.edge
    if let reasons = LayoutSnapshot.reasons(for: edge, of: view) {
      let solved = view.solvedFrame
      let value =
        switch edge {
        case .bottom: solved.y + solved.height
        case .right: solved.x + solved.width
        case .top: solved.y
        default: solved.x
        }
      report.addReasons(
        reasons.chain, isOpen: reasons.isOpen, for: "\(view.name).\(edge.rawValue)", at: value,
        isColumn: edge == .left || edge == .right, ambiguity: ambiguity)
    }
    report.addViews(layout.views, selected: selection.view)
    report.addConstraints(
      selection.constraints(in: layout), of: selection.view > 0 ? view.name : nil,
      selected: selection.constraint, switched: switches.all)
  }

  private func title(
    _ inspected: (row: Int, y: Int, cell: ListViewCell)?, drift: DriftMeter
  ) -> String {
    let isNarrow = panel.frame.width < 44
    var parts = isNarrow ? [] : ["Inspector"]
    if let inspected { parts.append("row \(inspected.row + 1)") }
    parts.append("drift \(InspectorReport.text(drift.reading))")
    if arrivals.isPaused { parts.append("\(arrivals.count) held") }
    if let size = inspected?.cell.frame.size {
      let shape = "\(size.width.counted("column")), \(size.height.counted("line"))"
      let whole = (parts + [shape]).joined(separator: " · ")
      if whole.count + 3 <= panel.frame.width { return whole }
    }
    return parts.joined(separator: " · ")
  }
}

extension LayoutInspector: FrameObserver {
  package func frameBegins() { frameTimes.begin(at: SystemClock.monotonic) }
  package func frameEnded() { frameTimes.end(at: SystemClock.monotonic) }
}

extension Command<LayoutInspector> {
  /// A command without a message; its action receives the repeat count.
  fileprivate static func asked(
    _ name: String, _ keys: KeySequence..., help: String,
    action: @escaping @MainActor (LayoutInspector, Int) -> Void
  ) -> Command {
    Command(name, keys: keys, help: help) { inspector, call in
      inspector.carryOut {
        action(inspector, call.times)
        return nil
      }
      return .done
    }
  }
}

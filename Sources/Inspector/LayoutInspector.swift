import ConstraintLayout
import Geometry
import ImageLoading
import Pictures
import System
import Terminal
import TerminalApp
import TerminalViews

/// Shows why a cell is laid out as it is, and what the list and its pictures are doing.
///
/// 1. It reads; only its keys change anything: the list's width, one constraint of the cell, the gate of
///    the pictures. Closing it undoes all three.
/// 2. It never asks for a frame: it is drawn when something else has made one necessary.
/// 3. Closed, it does nothing.
@MainActor package final class LayoutInspector: View, SidePanel {
  /// The least that list and panel need beside each other.
  static let besideMinimum = Size(width: 76, height: 9)
  /// The least that list and panel need one above the other.
  static let belowMinimum = Size(width: 30, height: 16)
  static let minimumListWidth = 12
  static let minimumPanelWidth = 28

  private(set) var isOpen = false
  /// Whether there is room for it.
  private(set) var isShown = false
  private var frameTimes = FrameTimes()
  private var frameBegan = 0
  private var drift = DriftMeter()
  /// The list as it is drawn, for the drift meter.
  private var drawnList = Canvas(size: .zero)

  private let pane: ListPane
  private let pictures: PictureStore
  private let panel = InspectorPanel(name: "inspector page")
  private let theme: Theme
  private weak var shownIn: TerminalApplication?
  package private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)
  /// The marked view, in the order of the cell's tree.
  private var selectedView = 0
  private weak var selectedConstraint: LayoutConstraint?
  private var widthChange = 0
  /// Constraints switched by hand, with what they were, and the cell and row they belong to.
  private var switched: [Switch] = []
  /// A constraint switched by hand: how it was, and how it is to be.
  struct Switch {
    let constraint: LayoutConstraint
    let wasActive: Bool
    var isWanted: Bool
  }

  private weak var switchedCell: ListViewCell?
  private var switchedBinding = 0

  package init(of pane: ListPane, pictures: PictureStore, theme: Theme = .standard) {
    self.pane = pane
    self.pictures = pictures
    self.theme = theme
    super.init(name: "inspector")
    panel.theme = theme
    addSubview(panel)
  }

  private var list: ListView { pane.listView }
  private var gate: ArrivalGate { pictures.loader.gate }

  /// Has F12 open and close it in `application`.
  package func add(to application: TerminalApplication) {
    application.window.add(self)
    let opening = Command<LayoutInspector>(
      "inspect", "f12",
      help: "layout inspector: why each cell is as high as it is, what list and pictures do"
    ) { [weak application] inspector, _ in application?.window.toggle(inspector) }
    application.commands.add([opening], of: self)
  }

  // MARK: Opening and room

  package func willOpen(in application: TerminalApplication) {
    isOpen = true
    shownIn = application
    drift = DriftMeter()
    frameTimes = FrameTimes()
    pane.onMove = { [weak self] in self?.drift.noteMove() }
    application.add(self)
  }

  /// Undoes what it changed.
  package func didClose() {
    isOpen = false
    isShown = false
    widthChange = 0
    undoSwitches()
    gate.resume()
    pane.onMove = nil
    shownIn?.remove(self)
  }

  package var notice: String? {
    guard isOpen, !isShown else { return nil }
    let size = Self.belowMinimum
    return "inspector: needs \(size.width)x\(size.height + 2)"
  }

  package var hint: String? {
    guard isShown else { return nil }
    return
      "F12 closes  v V view  c C constraint  x switch  < > width  p pause  i let in  Tab J K panel"
  }

  package func arrange(in area: Rect) -> Rect {
    isShown = false
    guard isOpen else { return area }
    if area.width >= Self.besideMinimum.width, area.height >= Self.besideMinimum.height {
      let preferred = max(34, min(64, area.width * 9 / 20))
      let width = clampWidth(area.width - preferred, most: area.width - Self.minimumPanelWidth)
      show(
        in: Rect(
          x: area.minX + width, y: area.minY, width: area.width - width, height: area.height),
        isBelow: false)
      return Rect(x: area.minX, y: area.minY, width: width, height: area.height)
    }
    guard area.width >= Self.belowMinimum.width, area.height >= Self.belowMinimum.height else {
      return area
    }
    let height = area.height / 2
    show(
      in: Rect(x: area.minX, y: area.maxY - height, width: area.width, height: height),
      isBelow: true)
    return Rect(
      x: area.minX, y: area.minY, width: clampWidth(area.width, most: area.width),
      height: area.height - height)
  }

  private func show(in frame: Rect, isBelow: Bool) {
    isShown = true
    self.frame = frame
    panel.frame = Rect(origin: .zero, size: frame.size)
    panel.isBelow = isBelow
  }

  /// The list's width with what was asked for, which is forgotten as far as it does not fit.
  private func clampWidth(_ width: Int, most: Int) -> Int {
    let result = max(Self.minimumListWidth, min(width + widthChange, most))
    widthChange = result - width
    return result
  }

  // MARK: Keys

  private static let commands: [Command<LayoutInspector>] = [
    .asked("next-view-of-cell", "v", help: "in the inspector: next view") { inspector, _ in
      inspector.stepView(1)
    },
    .asked("previous-view-of-cell", "V", help: "in the inspector: previous view") {
      inspector, _ in inspector.stepView(-1)
    },
    .asked("next-constraint", "c", help: "in the inspector: next constraint") {
      inspector, _ in inspector.stepConstraint(1)
    },
    .asked("previous-constraint", "C", help: "in the inspector: previous constraint") {
      inspector, _ in inspector.stepConstraint(-1)
    },
    Command("toggle-constraint", "x", help: "in the inspector: switch that constraint off and on") {
      inspector, _ in inspector.carryOut { inspector.toggle() }
    },
    .asked("narrower", "<", "left", help: "in the inspector: the list a column narrower") {
      $0.widthChange -= $1
    },
    .asked("wider", ">", "right", help: "in the inspector: the list a column wider") {
      $0.widthChange += $1
    },
    .asked("pause-arrivals", "p", help: "in the inspector: hold pictures back") {
      inspector, _ in
      if inspector.gate.isPaused { inspector.gate.resume() } else { inspector.gate.pause() }
    },
    Command("admit-arrival", "i", help: "in the inspector: let one of them in") { inspector, _ in
      inspector.carryOut { inspector.admit() }
    },
    .asked("next-section", "tab", help: "in the inspector: next section of the panel") {
      inspector, _ in inspector.panel.stepSection(1)
    },
    .asked("previous-section", "shift-tab", help: "in the inspector: previous section") {
      inspector, _ in inspector.panel.stepSection(-1)
    },
    .asked("panel-down", "J", help: "in the inspector: scroll the panel down") {
      $0.panel.scroll(by: $1)
    },
    .asked("panel-up", "K", help: "in the inspector: scroll the panel up") {
      $0.panel.scroll(by: -$1)
    },
  ]

  /// Does what a key asks for, where there is room to show it, and says what it returns.
  fileprivate func carryOut(_ action: () -> String?) {
    guard let window = shownIn?.window else { return }
    window.message = (isShown ? action() : notice) ?? ""
    window.setNeedsArrangement()
  }

  private func admit() -> String? {
    if gate.admitNext() { return nil }
    return gate.isPaused ? "no picture is held back" : "p pauses arrivals first"
  }

  private func stepView(_ step: Int) {
    guard let cell = inspected?.cell else { return }
    let count = LayoutReading(of: cell).views.count
    selectedView = (min(selectedView, count - 1) + step + count) % count
    selectedConstraint = nil
    panel.reveal(.view)
  }

  private func stepConstraint(_ step: Int) {
    guard let cell = inspected?.cell else { return }
    let shown = constraints(of: LayoutReading(of: cell)).map(\.constraint)
    guard !shown.isEmpty else { return }
    let index = shown.firstIndex { $0 === selectedConstraint }
    let next = index.map { ($0 + step + shown.count) % shown.count }
    selectedConstraint = shown[next ?? (step > 0 ? 0 : shown.count - 1)]
    panel.reveal(.constraint)
  }

  private func toggle() -> String? {
    guard let constraint = selectedConstraint, let cell = inspected?.cell,
      constraint.first.item?.root === cell
    else { return "c marks a constraint first" }
    guard constraint.origin == .code else { return "this one is the engine's own" }
    let isWanted = !constraint.isActive
    if let index = switched.firstIndex(where: { $0.constraint === constraint }) {
      switched[index].isWanted = isWanted
    } else {
      switched.append(
        Switch(constraint: constraint, wasActive: !isWanted, isWanted: isWanted))
    }
    switchedCell = cell
    switchedBinding = cell.bindingGeneration
    constraint.isActive = isWanted
    cell.setNeedsLayout()
    list.noteHeightChanged(of: cell)
    panel.reveal(.constraint)
    return constraint.error.map { "\($0)" }
  }

  /// Cells are used again: what was switched by hand must not stay in them.
  private func undoSwitches() {
    guard !switched.isEmpty else { return }
    // What goes first makes room for what comes.
    for change in switched where !change.wasActive { change.constraint.isActive = false }
    for change in switched where change.wasActive { change.constraint.isActive = true }
    switched = []
    switchedCell?.setNeedsLayout()
    switchedCell = nil
  }

  // MARK: Drawing

  /// The selected row where it shows, else the first one that does.
  private var inspected: (row: Int, y: Int, cell: ListViewCell)? {
    let visible = list.visibleFrames
    let selected = list.indexPathForSelectedRow?.row
    // A row may have lost all its height by a switch of the reader's.
    if let selected, let cell = list.cellForRow(at: IndexPath(row: selected)),
      cell === switchedCell,
      cell.frame.height == 0, let below = visible.first(where: { $0.row > selected })
    {
      return (selected, below.y, cell)
    }
    guard let shown = visible.first(where: { $0.row == selected }) ?? visible.first,
      let cell = list.cellForRow(at: IndexPath(row: shown.row))
    else { return nil }
    return (shown.row, shown.y, cell)
  }

  /// Those of the marked view; of the whole cell where that is marked.
  private func constraints(of layout: LayoutReading) -> [LayoutInspection.Row] {
    guard selectedView > 0, layout.views.indices.contains(selectedView) else {
      return layout.constraints
    }
    let view = layout.views[selectedView].view
    return layout.constraints.filter { $0.concerns(view) }
  }

  package func draw(over content: inout Canvas) {
    drawnList.reset(size: list.frame.size)
    list.render(into: &drawnList, origin: .zero)
    drift.observe(list, on: drawnList)
    let inspected = inspected
    if !switched.isEmpty,
      inspected?.cell !== switchedCell || switchedCell?.bindingGeneration != switchedBinding
    {
      undoSwitches()
    }
    var report = InspectorReport()
    if let (row, y, cell) = inspected {
      let layout = LayoutReading(of: cell)
      selectedView = min(selectedView, layout.views.count - 1)
      let corner = list.cornerOnScreen
      ViewOutlines.draw(
        layout.views, selected: selectedView, in: &content, at: corner.offset(dx: 0, dy: y),
        area: Rect(
          x: corner.x, y: corner.y, width: list.frame.width - 1, height: list.frame.height),
        theme: theme, depth: shownIn?.colorDepth ?? .none)
      report.addCell(row: row, name: cell.reuseIdentifier, layout: layout)
      report.addViews(layout.views, selected: selectedView)
      report.addConstraints(
        constraints(of: layout),
        of: selectedView > 0 ? layout.views[selectedView].view.name : nil,
        selected: selectedConstraint, switched: switched)
    }
    report.addList(list, drift: drift)
    report.addPictures(pictures)
    report.addFrames(frameTimes.recent)
    panel.page = report.page
    panel.title = title(row: inspected?.row)
  }

  private func title(row: Int?) -> String {
    var parts = ["Inspector"]
    if let row { parts.append("row \(row + 1)") }
    parts.append("drift \(InspectorReport.text(drift.reading))")
    if gate.isPaused { parts.append("\(gate.heldCount) held") }
    return parts.joined(separator: " · ")
  }
}

extension LayoutInspector: FrameObserver {
  package func frameBegins() { frameBegan = SystemClock.monotonic }
  package func frameEnded() { frameTimes.record(SystemClock.monotonic - frameBegan) }
}

extension Command<LayoutInspector> {
  /// A command that has nothing to say; it is told how often it is asked for.
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

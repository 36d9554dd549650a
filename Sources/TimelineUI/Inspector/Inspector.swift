import ConstraintLayout
import Geometry
import Pictures
import Terminal
import TerminalViews

/// Shows why a cell is laid out as it is, and what the list and its pictures are doing.
///
/// 1. It reads; only its keys change anything: the list's width, one constraint of the cell, the gate of
///    the pictures. Closing it undoes all three.
/// 2. It never asks for a frame: it is drawn when something else has made one necessary.
/// 3. Closed, it does nothing but compare the list's first line with what it was, and store how long
///    the frame took.
@MainActor final class Inspector {
  /// The least that list and panel need beside each other.
  static let besideMinimum = Size(width: 76, height: 9)
  /// The least that list and panel need one above the other.
  static let belowMinimum = Size(width: 30, height: 16)
  static let minimumListWidth = 12
  static let minimumPanelWidth = 28

  private(set) var isOpen = false
  /// Whether there is room for it.
  private(set) var isShown = false
  var frameTimes = FrameTimes()
  var drift = DriftMeter()

  private let panel = InspectorPanel(name: "inspector")
  private let theme: Theme
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

  init(theme: Theme) {
    self.theme = theme
    panel.theme = theme
  }

  // MARK: Opening and room

  func open() { isOpen = true }

  /// Closes it and undoes what it changed.
  func close(pictures: PictureStore) {
    isOpen = false
    isShown = false
    widthChange = 0
    undoSwitches()
    pictures.loader.gate.resume()
  }

  /// What the status line says where there is no room.
  var notice: String? {
    guard isOpen, !isShown else { return nil }
    let size = Self.belowMinimum
    return "inspector: needs \(size.width)x\(size.height + 2)"
  }

  /// Takes its part of `area` and leaves the rest, the returned one, to the list.
  func arrange(in area: Rect) -> Rect {
    isShown = false
    guard isOpen else { return area }
    if area.width >= Self.besideMinimum.width, area.height >= Self.besideMinimum.height {
      isShown = true
      panel.isBelow = false
      let preferred = max(34, min(64, area.width * 9 / 20))
      let width = clampWidth(area.width - preferred, most: area.width - Self.minimumPanelWidth)
      panel.frame = Rect(
        x: area.minX + width, y: area.minY, width: area.width - width, height: area.height)
      return Rect(x: area.minX, y: area.minY, width: width, height: area.height)
    }
    guard area.width >= Self.belowMinimum.width, area.height >= Self.belowMinimum.height else {
      return area
    }
    isShown = true
    panel.isBelow = true
    let height = area.height / 2
    panel.frame = Rect(
      x: area.minX, y: area.maxY - height, width: area.width, height: height)
    return Rect(
      x: area.minX, y: area.minY, width: clampWidth(area.width, most: area.width),
      height: area.height - height)
  }

  /// The list's width with what was asked for, which is forgotten as far as it does not fit.
  private func clampWidth(_ width: Int, most: Int) -> Int {
    let result = max(Self.minimumListWidth, min(width + widthChange, most))
    widthChange = result - width
    return result
  }

  // MARK: Keys

  /// Carries out `command`.
  ///
  /// - Returns: what the reader should know; nil where all went as asked.
  func perform(
    _ command: InspectorCommand, list: ListView, pictures: PictureStore
  ) -> String? {
    guard isShown else { return notice }
    switch command {
    case .nextView: stepView(1, list)
    case .previousView: stepView(-1, list)
    case .nextConstraint: stepConstraint(1, list)
    case .previousConstraint: stepConstraint(-1, list)
    case .toggleConstraint: return toggle(list)
    case .widen(let columns): widthChange += columns
    case .pauseArrivals:
      let gate = pictures.loader.gate
      if gate.isPaused { gate.resume() } else { gate.pause() }
    case .admitArrival: return admit(pictures.loader.gate.admitNext(), pictures)
    case .nextSection: panel.stepSection(1)
    case .previousSection: panel.stepSection(-1)
    case .scroll(let lines): panel.scroll(by: lines)
    }
    return nil
  }

  private func admit(_ wasAdmitted: Bool, _ pictures: PictureStore) -> String? {
    if wasAdmitted { return nil }
    return pictures.loader.gate.isPaused ? "no picture is held back" : "p pauses arrivals first"
  }

  private func stepView(_ step: Int, _ list: ListView) {
    guard let cell = inspected(list)?.cell else { return }
    let count = LayoutReading(of: cell).views.count
    selectedView = (min(selectedView, count - 1) + step + count) % count
    selectedConstraint = nil
    panel.reveal(.view)
  }

  private func stepConstraint(_ step: Int, _ list: ListView) {
    guard let cell = inspected(list)?.cell else { return }
    let shown = constraints(of: reading(of: cell)).map(\.constraint)
    guard !shown.isEmpty else { return }
    let index = shown.firstIndex { $0 === selectedConstraint }
    let next = index.map { ($0 + step + shown.count) % shown.count }
    selectedConstraint = shown[next ?? (step > 0 ? 0 : shown.count - 1)]
    panel.reveal(.constraint)
  }

  private func toggle(_ list: ListView) -> String? {
    guard let constraint = selectedConstraint, let cell = inspected(list)?.cell,
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
  private func inspected(_ list: ListView) -> (row: Int, y: Int, cell: ListViewCell)? {
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

  private func reading(of cell: ListViewCell) -> LayoutReading {
    LayoutReading(of: cell, known: switched.map(\.constraint))
  }

  /// Those of the marked view; of the whole cell where that is marked.
  private func constraints(of layout: LayoutReading) -> [ConstraintReading] {
    guard selectedView > 0, layout.views.indices.contains(selectedView) else {
      return layout.constraints
    }
    let view = layout.views[selectedView].view
    return layout.constraints.filter { $0.concerns(view) }
  }

  /// Draws the outlines over the list and the panel beside it.
  func draw(
    in canvas: inout Canvas, list: ListView, pictures: PictureStore, depth: ColorDepth
  ) {
    guard isShown else { return }
    let inspected = inspected(list)
    if !switched.isEmpty,
      inspected?.cell !== switchedCell || switchedCell?.bindingGeneration != switchedBinding
    {
      undoSwitches()
    }
    var report = InspectorReport()
    if let (row, y, cell) = inspected {
      let layout = reading(of: cell)
      selectedView = min(selectedView, layout.views.count - 1)
      let area = Rect(
        x: list.frame.minX, y: list.frame.minY, width: list.frame.width - 1,
        height: list.frame.height)
      ViewOutlines.draw(
        layout.views, selected: selectedView, in: &canvas,
        at: list.frame.origin.offset(dx: 0, dy: y), area: area, theme: theme, depth: depth)
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
    panel.title = title(row: inspected?.row, pictures)
    panel.render(into: &canvas, origin: panel.frame.origin)
  }

  private func title(row: Int?, _ pictures: PictureStore) -> String {
    var parts = ["Inspector"]
    if let row { parts.append("row \(row + 1)") }
    parts.append("drift \(InspectorReport.text(drift.reading))")
    let gate = pictures.loader.gate
    if gate.isPaused { parts.append("\(gate.heldCount) held") }
    return parts.joined(separator: " · ")
  }
}

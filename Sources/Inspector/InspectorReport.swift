import ConstraintLayout
import ImageLoading
import Pictures
import Terminal
import TerminalViews
import TextLayout

/// Writes the inspector's page, section by section. All text is in the terminal's own colours,
/// which are readable on any background; highlights are bold or have a sign before them.
@MainActor struct InspectorReport {
  /// The most fetches that are listed individually.
  static let maximumFetches = 16
  /// The longest bar of slack, in rows.
  private static let longestBar = 12

  private(set) var page = InspectorPage()

  // MARK: What determines the height

  /// - Parameters:
  ///   - note: the cell's own explanation of its height.
  ///   - change: the last change.
  ///   - growth: how rows above changed, and how far the reader's place moved.
  mutating func addCell(
    _ layout: LayoutSnapshot, note: String, change: String, growth: String,
    color: (View?) -> Color?
  ) {
    page.beginSection()
    page.beginLine(mark: color(layout.holdingView), sign: " ")
    addHolder(layout)
    for row in layout.key {
      let bottom = layout.bottoms.first { $0.constraint.constraint === row.constraint }
      let isHolder = row.constraint === layout.holder?.constraint.constraint
      if isHolder, row.constraint.relation == .equal { continue }
      page.beginLine(mark: color(bottom?.view), sign: isHolder ? "▸ " : sign(row.state))
      page.append(row.name, isHolder ? .heading : .body)
      let said = bottom.map { text(of: $0, besides: layout.holder, isHolder: isHolder) }
      page.append(" \(said ?? value(of: row))")
    }
    for line in [note, change, growth] where !line.isEmpty {
      page.beginLine(mark: nil, sign: " ")
      page.append(line)
    }
    page.pin()
  }

  private mutating func addHolder(_ layout: LayoutSnapshot) {
    guard let name = layout.holder?.constraint.name ?? layout.holdingView?.name else {
      return page.append("bottom held by nothing", .heading)
    }
    page.append("bottom held by ")
    page.append(name, .heading)
    guard let next = layout.next else { return }
    page.append(
      abs(next.margin) < 0.005
        ? ", level with \(next.name)" : ", \(rows(next.margin)) lower")
  }

  private func rows(_ number: Double) -> String { InspectorNumber.words(number, "row") }

  /// An equation's distance is relative to the holder's, whose edge is rounded to whole rows.
  private func text(
    of bottom: BottomEdgeSnapshot, besides holder: BottomEdgeSnapshot?, isHolder: Bool
  ) -> String {
    guard bottom.constraint.constraint.relation != .equal else {
      let distance = bottom.room - (holder?.room ?? 0)
      return abs(distance) < 0.005
        ? "asks for the same" : "asks for \(rows(abs(distance))) \(distance < 0 ? "more" : "less")"
    }
    guard bottom.room > 0.005 else {
      return bottom.room < -0.005
        ? "is missed by \(rows(-bottom.room))" : "0 rows of slack\(isHolder ? ": holds" : "")"
    }
    let whole = Int(min(bottom.room, Double(Self.longestBar)).rounded(.up))
    let bar = String(repeating: "▬", count: whole)
    let isLonger = bottom.room > Double(Self.longestBar)
    return "\(bar)\(isLonger ? "…" : "") \(rows(bottom.room)) of slack"
  }

  /// The relation and the second item of a constraint that is not on the cell's bottom, or the
  /// constant if it has no second item.
  private func value(of row: LayoutInspection.Row) -> String {
    let constraint = row.constraint
    let sign =
      switch constraint.relation {
      case .equal: "=="
      case .lessThanOrEqual: "<="
      case .greaterThanOrEqual: ">="
      }
    guard let second = constraint.second else {
      return "\(sign) \(InspectorNumber.text(constraint.constant))"
    }
    return "\(sign) \(InspectorNumber.text(constraint.multiplier)) * \(second.description)"
  }

  private func sign(_ state: LayoutInspection.State) -> String {
    switch state {
    case .active: "● "
    case .inactive: "○ "
    case .broken: "✕ "
    }
  }

  // MARK: Why

  /// - Parameter ambiguity: what the constraints leave undetermined.
  mutating func addReasons(
    _ chain: [LayoutConstraint], isOpen: Bool, for edge: String, at value: Double, isColumn: Bool,
    ambiguity: LayoutAmbiguity?
  ) {
    let unit = isColumn ? "column" : "line"
    page.beginSection("Why \(edge) is at \(unit) \(InspectorNumber.words(value))")
    page.reasonsParagraph = page.lastParagraph
    for (index, constraint) in chain.enumerated() {
      page.beginLine(marker: "\(index + 1) ", indent: 3)
      page.append(constraint.description)
    }
    if chain.isEmpty, !isOpen { page.line("it is where the cell begins") }
    if isOpen { page.line("nothing fixes it: it could be elsewhere", .heading) }
    for line in (ambiguity?.report ?? "").split(separator: "\n") { page.line(String(line)) }
  }

  // MARK: Views

  mutating func addViews(_ views: [ViewSnapshot], selected: Int) {
    page.beginSection("Views: what each wants and gets")
    for (index, reading) in views.enumerated() {
      page.beginLine(marker: index == selected ? "▸ " : "", indent: 2 + reading.depth)
      if index == selected { page.viewParagraph = page.lastParagraph }
      let frame = reading.frame
      page.append(reading.view.name, index == selected ? .heading : .body)
      let width = length(reading.solved?.width, drawn: frame.width, "column")
      let height = length(reading.solved?.height, drawn: frame.height, "line")
      page.append(" \(width), \(height)")
      if reading.depth > 0 { page.append(" at \(frame.minX),\(frame.minY)") }
      let wanted = [(reading.intrinsic.width, "column"), (reading.intrinsic.height, "line")]
        .compactMap { value, unit in value.map { InspectorNumber.words($0, unit) } }
      if !wanted.isEmpty { page.append("; wants \(wanted.joined(separator: ", "))") }
    }
  }

  /// "13½ columns (drawn as 14)" if the solution is not a whole number.
  private func length(_ solved: Double?, drawn: Int, _ unit: String) -> String {
    guard let solved, abs(solved - Double(drawn)) >= 0.005 else { return drawn.counted(unit) }
    return "\(InspectorNumber.words(solved, unit)) (drawn as \(drawn))"
  }

  // MARK: Constraints

  mutating func addConstraints(
    _ constraints: [LayoutInspection.Row], of view: String?, selected: LayoutConstraint?,
    switched: [ConstraintOverrides.Switch]
  ) {
    guard !constraints.isEmpty else { return }
    func count(_ state: LayoutInspection.State) -> Int { constraints.count { $0.state == state } }
    page.beginSection("Constraints" + (view.map { " of \($0)" } ?? ""))
    page.line("\(count(.active)) active, \(count(.inactive)) inactive, \(count(.broken)) broken")
    for row in constraints {
      let isSelected = row.constraint === selected
      page.beginLine(marker: (isSelected ? "▸" : " ") + sign(row.state), indent: 3)
      if isSelected { page.constraintParagraph = page.lastParagraph }
      page.append(row.constraint.description, row.state == .broken ? .heading : .body)
      if let change = switched.first(where: { $0.constraint === row.constraint }),
        change.isWanted != change.wasActive
      {
        let isKeptByCell = change.isWanted == (row.state != .inactive)
        page.append(isKeptByCell ? " switched by hand" : " switched back by its cell", .heading)
      }
      if row.constraint.origin != .code, row.constraint.label == nil {
        page.append(" by the engine")
      }
      if let room = row.room, abs(room) >= 0.005 {
        page.append(" slack \(InspectorNumber.words(room))")
      }
    }
  }

  // MARK: The list

  mutating func addList(_ list: ListView, drift: DriftMeter) {
    let statistics = list.statistics
    let (rows, known) = (list.numberOfRows, list.knownRows)
    page.beginSection("List")
    let mean = InspectorNumber.words(Double(statistics.totalHeight) / Double(max(1, rows)), "line")
    page.line(
      "\(rows.counted("row")) of \(statistics.totalHeight.counted("line")), \(mean) each: "
        + (known == rows ? "all measured" : "\(known) measured, \(rows - known) estimated"))
    if let top = list.topPosition {
      page.line("at the top edge: row \(top.row + 1), line \(top.line + 1)")
    }
    let thumb = statistics.thumb
    page.line(
      "scroll bar: \(InspectorNumber.words(Double(thumb.length) / 8)) of \(list.frame.height) "
        + "lines long, from line \(InspectorNumber.words(Double(thumb.start) / 8))")
    page.line(
      "cells: \(statistics.liveCells) with a row, \(statistics.idleCells) idle, "
        + "\(statistics.createdCells) made, used again \(statistics.reusedCells) times")
    page.beginLine()
    let reading = Self.text(drift.reading)
    page.append("drift \(reading)", drift.reading == .lines(0) ? .body : .heading)
    page.append(", at most \(drift.worst) since the start")
    if drift.isFollowing { page.append(", following the end") }
    if drift.endCorrection > 0 {
      page.append(", \(drift.endCorrection) given way to the list's end")
    }
  }

  /// The drift in lines, downward positive.
  static func text(_ reading: DriftMeter.Reading) -> String {
    switch reading {
    case .none: "–"
    case .lines(let lines): "\(lines)"
    case .lost: "off the screen"
    }
  }

  // MARK: Pictures

  mutating func addPictures(_ pictures: PictureStore) {
    let loader = pictures.loader
    let activity = loader.activity
    let statistics = loader.statistics
    page.beginSection("Pictures")
    if loader.gate.isPaused {
      page.line("arrivals paused, \(loader.gate.heldCount) held back", .heading)
    }
    let waiting = activity.waiting == 0 ? "" : "\(activity.waiting) to be tried again, "
    page.line(
      "\(activity.queued) queued, \(activity.inFlight) under way, \(waiting)"
        + "\(InspectorNumber.bytes(activity.bytes))")
    page.line(
      "\(statistics.done) fetched, \(statistics.failed) failed, \(statistics.cancelled) cancelled")
    page.line(
      "taken from memory: \(statistics.memoryHits.counted("time")) as pixels, "
        + "\(pictures.cellHits.counted("time")) as cells")
    let fetches = loader.fetchStatuses
    for fetch in fetches.prefix(Self.maximumFetches) {
      page.beginLine(indent: 1)
      let phase = fetch.isHeld ? "held" : fetch.phase.rawValue
      page.append("\(phase) ", fetch.isHeld ? .heading : .body)
      let tenths = Int(fetch.age / .milliseconds(100))
      page.append("\(fetch.priority) \(InspectorNumber.bytes(fetch.bytes)) ")
      page.append("\(tenths / 10).\(tenths % 10) s \(Self.name(of: fetch.url))")
    }
    if fetches.count > Self.maximumFetches {
      page.line("and \(fetches.count - Self.maximumFetches) more")
    }
  }

  /// The end of a URL, which distinguishes pictures of one server.
  private static func name(of url: String) -> String {
    guard !url.lowercased().hasPrefix("data:") else { return "data:" }
    return String(url.split(separator: "/").suffix(2).joined(separator: "/").suffix(40))
  }

  // MARK: Frames

  mutating func addFrames(_ times: [Int]) {
    page.beginSection("Frames")
    guard let last = times.last, let longest = times.max() else { return }
    let median = times.sorted()[times.count / 2]
    page.line(
      "last \(InspectorNumber.milliseconds(last)) ms, "
        + "median \(InspectorNumber.milliseconds(median)), "
        + "longest \(InspectorNumber.milliseconds(longest))"
    )
    page.beginLine(isPreformatted: true)
    page.append(FrameTimes.sparkline(times))
  }
}

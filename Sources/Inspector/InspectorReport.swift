import ConstraintLayout
import ImageLoading
import Pictures
import TerminalViews
import TextLayout

/// Writes what the inspector shows, section by section.
@MainActor struct InspectorReport {
  /// Fetches listed one by one.
  static let maximumFetches = 16

  private(set) var page = InspectorPage()

  // MARK: The cell

  mutating func addCell(row: Int, name: String, layout: LayoutReading) {
    page.beginSection("Cell")
    guard let cell = layout.views.first else { return }
    page.line("row \(row + 1), \(name), \(cell.frame.width)x\(cell.frame.height)")
    addBottom(layout)
  }

  private mutating func addBottom(_ layout: LayoutReading) {
    guard !layout.constraints.isEmpty else {
      return page.line("no constraints: placed by code", .secondary)
    }
    guard !layout.bottoms.isEmpty else {
      return page.line("no constraint on its bottom edge", .secondary)
    }
    page.beginLine(indent: 2)
    if let holder = layout.holder {
      page.append("bottom held by ")
      page.append(holder.constraint.name, .tag)
      if let margin = layout.margin {
        let rows = InspectorNumber.text(margin)
        page.append(", \(rows) \(rows == "1" ? "row" : "rows") lower")
      }
    } else {
      page.append("bottom held by nothing", .warning)
    }
    for bottom in layout.bottoms
    where bottom.constraint.constraint !== layout.holder?.constraint.constraint {
      page.beginLine(marker: mark(bottom.constraint.state), indent: 2)
      page.append(bottom.constraint.name)
      let room = InspectorNumber.text(abs(bottom.room))
      let direction = bottom.room < 0 ? "more" : "less"
      let text = bottom.isFloor ? "asks for \(room) \(direction)" : "allows \(room) more"
      page.append(" \(text)", .secondary)
    }
  }

  private func mark(_ state: LayoutInspection.State) -> String {
    switch state {
    case .active: "● "
    case .inactive: "○ "
    case .broken: "✕ "
    }
  }

  // MARK: Views

  mutating func addViews(_ views: [ViewReading], selected: Int) {
    page.beginSection("Views: final, solved, content")
    for (index, reading) in views.enumerated() {
      page.beginLine(marker: index == selected ? "▸ " : "", indent: 2 + reading.depth)
      if index == selected { page.viewParagraph = page.lastParagraph }
      let frame = reading.frame
      page.append(reading.view.name, index == selected ? .tag : .body)
      page.append(" \(frame.width)x\(frame.height) at \(frame.minX),\(frame.minY)")
      let solved = reading.solved
      if solved.width != Double(frame.width) || solved.height != Double(frame.height) {
        page.append(", \(size(solved.width, solved.height))", .secondary)
      }
      if reading.intrinsic.width != nil || reading.intrinsic.height != nil {
        page.append(
          ", wants \(size(reading.intrinsic.width, reading.intrinsic.height))", .secondary)
      }
    }
  }

  private func size(_ width: Double?, _ height: Double?) -> String {
    "\(width.map(InspectorNumber.text) ?? "–")x\(height.map(InspectorNumber.text) ?? "–")"
  }

  // MARK: Constraints

  mutating func addConstraints(
    _ constraints: [LayoutInspection.Row], of view: String?, selected: LayoutConstraint?,
    switched: [LayoutInspector.Switch]
  ) {
    func count(_ state: LayoutInspection.State) -> Int { constraints.count { $0.state == state } }
    page.beginSection("Constraints" + (view.map { " of \($0)" } ?? ""))
    page.line(
      "\(count(.active)) active, \(count(.inactive)) inactive, \(count(.broken)) broken", .secondary
    )
    for reading in constraints {
      let isSelected = reading.constraint === selected
      page.beginLine(marker: (isSelected ? "▸" : " ") + mark(reading.state), indent: 3)
      if isSelected { page.constraintParagraph = page.lastParagraph }
      page.append(
        reading.constraint.description,
        reading.state == .broken ? .error : reading.state == .inactive ? .secondary : .body)
      if let change = switched.first(where: { $0.constraint === reading.constraint }),
        change.isWanted != change.wasActive
      {
        let isAsWanted = change.isWanted == (reading.state != .inactive)
        page.append(isAsWanted ? " switched by hand" : " switched back by its cell", .warning)
      }
      if reading.constraint.origin != .code, reading.constraint.label == nil {
        page.append(" by the engine", .secondary)
      }
      if let room = reading.room, abs(room) >= 0.005 {
        page.append(" slack \(InspectorNumber.text(room))", .secondary)
      }
    }
  }

  // MARK: The list

  mutating func addList(_ list: ListView, drift: DriftMeter) {
    let statistics = list.statistics
    let known = list.knownRows
    page.beginSection("List")
    page.line(
      "\(list.numberOfRows.counted("row")): \(known) measured, \(list.numberOfRows - known) estimated"
    )
    for kind in list.kindStatistics {
      page.line(
        "mean height \(InspectorNumber.text(kind.mean)), kind \(kind.kind), of \(kind.samples.counted("row"))",
        .secondary)
    }
    if let top = list.topPosition {
      page.line(
        "total \(statistics.totalHeight.counted("line")), top at row \(top.row + 1) line \(top.line)"
      )
    }
    let thumb = statistics.thumb
    page.line(
      "thumb from \(InspectorNumber.text(Double(thumb.start) / 8)), "
        + "\(InspectorNumber.text(Double(thumb.length) / 8)) long, of \(list.frame.height)")
    page.line(
      "cells: \(statistics.liveCells) live, \(statistics.idleCells) idle, "
        + "\(statistics.createdCells) created, \(statistics.reusedCells) reused")
    page.beginLine()
    let reading = Self.text(drift.reading)
    page.append("drift \(reading)", drift.reading == .lines(0) ? .body : .error)
    page.append(", at most \(drift.worst) since the start", .secondary)
    if drift.isFollowing { page.append(", following the end", .secondary) }
    if drift.heldByEnd > 0 {
      page.append(", \(drift.heldByEnd) given way to the list's end", .secondary)
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
      page.line("arrivals paused, \(loader.gate.heldCount) held back", .warning)
    }
    page.line(
      "\(activity.queued) queued, \(activity.inFlight) under way, "
        + "\(InspectorNumber.bytes(activity.bytes))")
    page.line(
      "\(statistics.done) fetched, \(statistics.failed) failed, "
        + "\(statistics.cancelled) cancelled")
    page.line(
      "cache hits: \(statistics.memoryHits) pixels, \(pictures.cellHits) cells")
    let fetches = loader.fetchStatuses
    for fetch in fetches.prefix(Self.maximumFetches) {
      page.beginLine(indent: 1)
      let phase = fetch.isHeld ? "held" : fetch.phase.rawValue
      page.append("\(phase) ", fetch.isHeld ? .warning : .tag)
      let tenths = Int(fetch.age / .milliseconds(100))
      page.append("\(fetch.priority) \(InspectorNumber.bytes(fetch.bytes)) ")
      page.append("\(tenths / 10).\(tenths % 10) s \(Self.name(of: fetch.url))", .secondary)
    }
    if fetches.count > Self.maximumFetches {
      page.line("and \(fetches.count - Self.maximumFetches) more", .secondary)
    }
  }

  /// The end of a URL: what tells pictures of one server apart.
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
      "last \(InspectorNumber.milliseconds(last)) ms, median "
        + "\(InspectorNumber.milliseconds(median)), longest \(InspectorNumber.milliseconds(longest))"
    )
    page.beginLine(isPreformatted: true)
    page.append(FrameTimes.sparkline(times), .tag)
  }
}

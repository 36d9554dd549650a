import Geometry
import ImageLoading
import Pictures
import Terminal
import TerminalApp
import TerminalViews
import TextLayout

/// Shows how the fetch queue works: requests in flight, then those waiting, in the queue's order;
/// fetches that several rows share, cancellations, and rows whose height changed.
@MainActor final class QueueMonitor: MonitorPanel {
  private let pictures: PictureStore
  /// The clock by which pictures arrive, which the user can pause; `nil` for the system's.
  private let clock: DemoClock?
  private let start = ContinuousClock.now
  private var log = QueueLog()
  private var statuses: [ImageFetchStatus] = []
  private var listeners: Listeners?

  /// The listeners from before the panel was opened, which still receive all events.
  private struct Listeners {
    let onTrace: (@MainActor (ImageTraceEvent) -> Void)?
    let onResize: ((ListView.RowResize) -> Void)?
  }

  init(of pane: ListPane, pictures: PictureStore, clock: DemoClock?) {
    (self.pictures, self.clock) = (pictures, clock)
    super.init(of: pane)
  }

  private var now: Duration { clock?.now ?? start.duration(to: .now) }
  private var isPaused: Bool { clock?.isPaused ?? false }

  private static let commands: [Command<QueueMonitor>] = [
    Command("next-moment", "n", help: "let a moment pass") { monitor, call in
      for _ in 0..<min(call.times, 100) { monitor.clock?.step() }
      monitor.application?.setNeedsFrame()
    },
    Command("run-time", "p", help: "let time run; stop it") { monitor, _ in
      monitor.clock?.toggle()
      monitor.application?.setNeedsFrame()
    },
  ]

  override func makeCommands() -> CommandTable {
    CommandTable(of: self, Self.commands, below: .inspector)
  }

  override var hint: String? {
    "n next moment   p \(isPaused ? "lets time run" : "stops time")   Space b pages   "
      + "? help   q quit"
  }

  override func willOpen(in application: TerminalApplication) {
    let (loader, list) = (pictures.loader, pane.listView)
    let before = Listeners(onTrace: loader.onTrace, onResize: list.onResize)
    listeners = before
    loader.onRequestChange = { [weak application] in application?.setNeedsFrameSoon() }
    loader.onTrace = { [weak self] event in
      before.onTrace?(event)
      self?.note(event)
    }
    list.onResize = { [weak self] resize in
      before.onResize?(resize)
      let change = "row \(resize.row + 1): \(resize.from) → \(resize.to) lines"
      self?.log.add(.other(change), at: self?.now ?? .zero)
    }
  }

  override func didClose() {
    guard let before = listeners else { return }
    pictures.loader.onRequestChange = nil
    pictures.loader.onTrace = before.onTrace
    pane.listView.onResize = before.onResize
    listeners = nil
  }

  private func note(_ event: ImageTraceEvent) {
    let name = Self.name(of: event.url)
    let outcome: String
    switch event.state {
    case .done: outcome = "came"
    case .cancelled: outcome = "cancelled: row left"
    case .failed: outcome = "failed"
    case .retried: outcome = "failed, later again"
    case .queued, .started, .header, .memoryHit, .diskHit, .revalidated: return
    }
    log.add(.picture(name, outcome), at: now)
  }

  override func observe() {
    let current = pictures.loader.fetchStatuses.sorted { Self.rank($0) < Self.rank($1) }
    for status in current {
      guard let old = statuses.first(where: { $0.url == status.url }) else { continue }
      let name = Self.name(of: status.url)
      if status.requests > old.requests {
        let change = "picture \(name): \(status.requests) rows, one fetch"
        log.add(.other(change), at: now)
      }
      if status.priority != old.priority {
        log.add(.picture(name, "now \(Self.word(for: status.priority))"), at: now)
      }
    }
    statuses = current
  }

  /// The order in the panel: by progress, then by the order in the queue.
  private static func rank(_ status: ImageFetchStatus) -> (Int, Int, UInt64) {
    let phase =
      switch status.phase {
      case .decoding: 0
      case .fetched: 1
      case .fetching, .reading: 2
      case .queued: 3
      case .waiting: 4
      }
    return (phase, -status.priority.rawValue, status.turn)
  }

  private static func word(for priority: ImagePriority) -> String {
    switch priority {
    case .visible: "on screen"
    case .ahead: "ahead"
    case .near: "near"
    case .idle: "not urgent"
    }
  }

  /// The name of a picture's file without its extension, shortened to its last 12 characters.
  private static func name(of url: String) -> String {
    let file = url.split(separator: "/").last.map(String.init) ?? url
    return file.split(separator: ".").first.map { String($0.suffix(12)) } ?? file
  }

  // MARK: Drawing

  override func page(size: Size) -> MonitorPage {
    var page = MonitorPage(theme)
    let tenths = Int(now / .milliseconds(100))
    let state = isPaused ? "time stands" : "time runs"
    page.add("Fetch queue", "\(tenths / 10).\(tenths % 10) s, \(state)")
    let (counts, body) = (pictures.loader.statistics, theme.style(for: TextStyle.body))
    page.add(
      [("\(counts.done) came  \(counts.joined) shared  \(counts.cancelled) cancelled", body)],
      .essential)
    page.space()
    let limit = pictures.loader.configuration.maximumFetchesPerHost
    page.addNote("number row is   at most \(limit) at a time", .explanation)
    let shown = max(3, size.height / 2)
    for status in statuses.prefix(shown) { page.add(line(for: status, size.width)) }
    if statuses.isEmpty { page.addNote("nothing is wanted, and nothing runs", .content) }
    if statuses.count > shown {
      page.addNote("and \(statuses.count - shown) more in line", .content)
    }
    page.space()
    page.add("Just now", "", .explanation)
    for entry in log.latest { page.add([(entry, body)], .detail) }
    return page
  }

  private func line(for status: ImageFetchStatus, _ width: Int) -> [MonitorPage.Part] {
    let quiet = theme.style(for: .secondary)
    let isUrgent = status.priority == .visible
    let body = theme.style(for: TextStyle.body)
    var parts: [MonitorPage.Part] = [
      (
        MonitorPage.centered(Self.name(of: status.url), in: 4) + " ",
        isUrgent ? theme.style(for: .heading) : body
      ),
      (
        MonitorPage.padded(Self.word(for: status.priority), to: 10),
        isUrgent ? theme.style(for: .tag) : quiet
      ),
    ]
    let columns = max(4, min(24, width - 22))
    switch status.phase {
    case .queued: parts.append((MonitorPage.padded("in line", to: columns), quiet))
    case .waiting: parts.append((MonitorPage.padded("tried again", to: columns), quiet))
    case .fetched, .decoding: parts.append((MonitorPage.padded("decoding", to: columns), quiet))
    case .fetching, .reading:
      let done =
        status.bytes == 0 ? 0 : min(columns, status.bytes * columns / max(1, status.expectedBytes))
      parts.append((String(repeating: "█", count: done), theme.markStyle))
      parts.append((String(repeating: "░", count: columns - done), quiet))
    }
    if status.requests > 1 { parts.append((" ×\(status.requests)", theme.style(for: .code))) }
    return parts
  }
}

/// The latest events of the queue. Consecutive pictures with the same outcome at the same time
/// share an entry.
struct QueueLog {
  enum Entry: Hashable {
    /// A picture's name and its outcome.
    case picture(String, String)
    case other(String)
  }

  private static let capacity = 24
  private var entries: [(time: Duration, entry: Entry, count: Int)] = []

  /// A line for each entry, the newest first.
  var latest: [String] {
    entries.reversed().map { time, entry, count in
      let tenths = Int(time / .milliseconds(100))
      let text =
        switch entry {
        case .picture(let name, let outcome):
          count > 1 ? "\(count) pictures \(outcome)" : "picture \(name) \(outcome)"
        case .other(let text): text
        }
      return "\(tenths / 10).\(tenths % 10) \(text)"
    }
  }

  /// - Parameter time: since the start.
  mutating func add(_ entry: Entry, at time: Duration) {
    if let last = entries.last, last.time == time, case .picture(_, let outcome) = entry,
      case .picture(_, outcome) = last.entry
    {
      entries[entries.count - 1].count += 1
      return
    }
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append((time, entry, 1))
  }
}

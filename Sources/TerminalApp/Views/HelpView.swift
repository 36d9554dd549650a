import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A page of text over the content that scrolls and can be searched: help or messages.
@MainActor final class HelpView: View, Responder {
  private let sections: [StyledText]
  /// The first visible line.
  private(set) var topLine = 0
  private var search = Search()
  private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.moves + Self.others)

  /// The state of a search on the page.
  private struct Search {
    var needle: TextNeedle?
    var matcher = TextMatcher()
    /// The sections with their matches marked; `nil` without a search.
    var marked: [StyledText]?
    /// The line of the current match.
    var place: HelpColumns.Place?
    /// Earlier search texts, oldest first.
    var history: [String] = []
  }

  init(_ sections: [StyledText]) {
    self.sections = sections
    super.init(name: "help")
  }

  private static let moves: [Command<HelpView>] = [
    .moving("line-down", "j", "down", "ctrl-n", "ctrl-e", "wheel-down") { $1 },
    .moving("line-up", "k", "up", "ctrl-p", "ctrl-y", "wheel-up") { -$1 },
    .moving("half-page-down", "ctrl-d") { $0 * $1 / 2 },
    .moving("half-page-up", "ctrl-u") { -($0 * $1 / 2) },
    .moving("page-down", "space", "page-down", "ctrl-f") { $0 * $1 },
    .moving("page-up", "b", "page-up", "ctrl-b") { -$0 * $1 },
    Command("top", "g", "home", help: "") { view, _ in view.scroll(by: -view.topLine) },
    Command("end", "G", "end", help: "") { view, _ in view.scroll(by: .max / 2) },
  ]

  private static let others: [Command<HelpView>] = [
    Command("search", "/", argument: "TEXT", help: "") { view, call in
      guard call.argument.isEmpty else { return view.search(for: call.argument) }
      view.openPrompt()
      return .done
    },
    Command("next-match", "n", help: "") { view, call in
      view.go(by: min(call.times, KeyReader.maximumCount))
    },
    Command("previous-match", "N", help: "") { view, call in
      view.go(by: -min(call.times, KeyReader.maximumCount))
    },
    Command("end-search", "escape", help: "") { view, _ in
      if view.search.needle == nil { view.close() } else { view.look(for: nil) }
    },
    Command("close", "q", "?", "f1", help: "") { view, _ in view.close() },
  ]

  private func close() { application?.window.dismiss(self) }

  var hint: String? {
    let bindings = application?.dispatcher.bindings ?? KeyBindings()
    let keys = bindings.labels([("close", "?"), ("close", "q"), ("end-search", "escape")])
    let closing = "\(keys.prefix(2).joined(separator: " or ")) closes this page"
    guard search.needle != nil else {
      let searching = bindings.labels([("search", "/")]).map { "\($0) searches" }
      return (searching + [closing]).joined(separator: "   ")
    }
    let others = bindings.labels([("next-match", "n"), ("previous-match", "N")])
    let matches = others.joined(separator: " ") + " matches"
    return [progress, matches, closing].joined(separator: "   ")
  }

  private var page: HelpColumns {
    HelpColumns(search.marked ?? sections, width: frame.width - 4)
  }

  /// The number of lines that are visible.
  fileprivate var pageLines: Int { max(1, frame.height - 2) }

  /// Scrolls by `lines`, within the page.
  func scroll(by lines: Int) {
    let last = max(0, page.lineCount - pageLines)
    let line = max(0, min(topLine + lines, last))
    guard line != topLine else { return }
    topLine = line
    setNeedsDisplay()
  }

  // MARK: Searching

  private func openPrompt() {
    guard let window = application?.window else { return }
    let (top, needle, place) = (topLine, search.needle, search.place)
    let prompt = LinePrompt("/", history: search.history)
    func goBack(_ view: HelpView) {
      view.look(for: needle)
      view.search.place = place
      view.scroll(by: top - view.topLine)
    }
    prompt.onChange = { [weak self] typed in
      guard let self else { return }
      goBack(self)
      look(for: TextNeedle(typed))
      goToFirstMatch(from: top)
    }
    prompt.onSubmit = { [weak self] typed, history in
      guard let self else { return }
      search.history = history
      // Without a new text, continue the current search.
      guard !typed.isEmpty else {
        goBack(self)
        if needle != nil { _ = go(by: 1) }
        return
      }
      if search.needle != nil, search.place == nil { reportNoMatch() }
    }
    prompt.onCancel = { [weak self] in self.map(goBack) }
    prompt.hintText = { [weak self] in
      [self?.progress ?? "", "Enter keeps the place", "Esc goes back"].filter { !$0.isEmpty }
        .joined(separator: "   ")
    }
    prompt.open(in: window)
  }

  private func search(for text: String) -> CommandOutcome {
    guard let needle = TextNeedle(text) else { return .refused("there is nothing to look for") }
    search.history.append(text)
    look(for: needle)
    goToFirstMatch(from: topLine)
    if search.place == nil { reportNoMatch() }
    return .done
  }

  /// Marks the matches of `needle`; `nil` ends the search.
  private func look(for needle: TextNeedle?) {
    guard needle != search.needle else { return }
    search.needle = needle
    search.place = nil
    search.marked = needle.map { needle in
      sections.map { $0.marking(needle, with: &search.matcher) }
    }
    setNeedsDisplay()
  }

  private func reportNoMatch() {
    application?.tell("not found: \(search.needle?.query ?? "")", .refusal)
  }

  /// The lines with a match in their text or their keys.
  private func matches(in page: HelpColumns) -> [HelpColumns.Place] {
    page.places { $0.isMarked(line: $1) || isMarked($0.lines[$1].marker) }
  }

  private func isMarked(_ marker: String) -> Bool {
    guard let needle = search.needle, !marker.isEmpty else { return false }
    return search.matcher.contains(needle, in: marker)
  }

  private func goToFirstMatch(from line: Int) {
    let matches = matches(in: page)
    guard let first = matches.first(where: { $0.line >= line }) ?? matches.first else { return }
    show(first)
  }

  /// Goes `count` matches forwards or backwards from the current one.
  private func go(by count: Int) -> CommandOutcome {
    guard search.needle != nil else { return ListSearch.noSearch(in: application) }
    let matches = matches(in: page)
    guard !matches.isEmpty else {
      reportNoMatch()
      return .done
    }
    let current = search.place ?? HelpColumns.Place(column: 0, line: topLine)
    // Between two matches, the next one is already one step ahead.
    let at = matches.firstIndex { $0 >= current } ?? matches.count
    let isOnMatch = at < matches.count && matches[at] == current
    let place = at + (count > 0 && !isOnMatch ? count - 1 : count)
    if place < 0 || place >= matches.count {
      application?.tell("search wrapped to the \(count > 0 ? "top" : "end")")
    }
    show(matches[((place % matches.count) + matches.count) % matches.count])
    return .done
  }

  private func show(_ place: HelpColumns.Place) {
    search.place = place
    setNeedsDisplay()
    guard !(topLine..<topLine + pageLines).contains(place.line) else { return }
    scroll(by: place.line - pageLines / 3 - topLine)
  }

  /// `"match 2 of 17"`; empty without a search.
  private var progress: String {
    guard search.needle != nil else { return "" }
    let matches = matches(in: page)
    guard !matches.isEmpty else { return "no match" }
    guard let place = search.place, let rank = matches.firstIndex(of: place) else {
      return "\(matches.count) with a match"
    }
    return "match \(rank + 1) of \(matches.count)"
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell())
    let page = page
    let first = max(0, min(topLine, page.lineCount - max(0, frame.height - 2)))
    for (column, text) in page.frames.enumerated() {
      draw(
        text, from: first, in: &canvas,
        at: origin.offset(dx: 2 + column * page.distance, dy: 1))
    }
  }

  private func draw(_ text: TextFrame, from first: Int, in canvas: inout Canvas, at corner: Point) {
    guard first < text.lines.count else { return }
    let lines = first..<min(text.lines.count, first + max(0, frame.height - 2))
    TextDrawing.draw(text, in: &canvas, at: corner, lines: lines, theme: theme)
    guard search.needle != nil else { return }
    // Keys are line markers, which are not part of the marked text.
    for line in lines where isMarked(text.lines[line].marker) {
      let (marker, end) = (text.lines[line].marker, text.lines[line].indent)
      let columns = TextMetrics.current.width(of: marker)
      let area = Rect(
        x: corner.x + end - columns, y: corner.y + line - first,
        width: columns - (marker.hasSuffix(" ") ? 1 : 0), height: 1)
      canvas.restyle(area) { $0.attributes.insert(.reverse) }
    }
  }
}

extension Command<HelpView> {
  /// A scrolling command; `lines` computes the distance from the lines of a page and the count.
  fileprivate static func moving(
    _ name: String, _ keys: KeySequence...,
    by lines: @escaping @MainActor (_ page: Int, _ times: Int) -> Int
  ) -> Command {
    Command(name, keys: keys, help: "", maximumAtOnce: .max) { view, call in
      view.scroll(by: lines(view.pageLines, min(call.times, KeyReader.maximumCount)))
      return .done
    }
  }
}

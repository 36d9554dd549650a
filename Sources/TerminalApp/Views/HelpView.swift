import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A page of text over the content, which scrolls: what to look at and which keys there are.
@MainActor final class HelpView: View, Responder {
  private let text: StyledText
  private let theme: Theme
  /// The first line shown.
  private(set) var topLine = 0
  private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  init(_ text: StyledText, theme: Theme) {
    self.text = text
    self.theme = theme
    super.init(name: "help")
  }

  private static let commands: [Command<HelpView>] = [
    .moving("line-down", "j", "down", "ctrl-n", "ctrl-e", "wheel-down") { $1 },
    .moving("line-up", "k", "up", "ctrl-p", "ctrl-y", "wheel-up") { -$1 },
    .moving("half-page-down", "ctrl-d") { $0 * $1 / 2 },
    .moving("half-page-up", "ctrl-u") { -($0 * $1 / 2) },
    .moving("page-down", "space", "page-down", "ctrl-f") { $0 * $1 },
    .moving("page-up", "b", "page-up", "ctrl-b") { -$0 * $1 },
    Command("top", "g", "home", help: "") { view, _ in view.scroll(by: -view.topLine) },
    Command("end", "G", "end", help: "") { view, _ in view.scroll(by: .max / 2) },
    Command("close", "q", "?", "f1", "escape", help: "") { view, _ in
      view.application?.window.dismiss(view)
    },
  ]

  var hint: String? {
    let bindings = application?.keys.bindings ?? KeyBindings()
    let keys = bindings.labels([("close", "?"), ("close", "q"), ("close", "escape")])
    return "\(keys.prefix(2).joined(separator: " or ")) closes this page"
  }

  private var wrapped: TextFrame {
    TextFrame(text, width: max(1, min(frame.width - 4, 92)))
  }

  /// Lines that show.
  fileprivate var pageLines: Int { max(1, frame.height - 2) }

  /// Moves the page by `lines`, within its ends.
  func scroll(by lines: Int) {
    let last = max(0, wrapped.lines.count - pageLines)
    let line = max(0, min(topLine + lines, last))
    guard line != topLine else { return }
    topLine = line
    setNeedsDisplay()
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.fill(Rect(origin: origin, size: frame.size), with: CanvasCell())
    let page = wrapped
    let rows = max(0, frame.height - 2)
    let first = max(0, min(topLine, page.lines.count - rows))
    TextDrawing.draw(
      page, in: &canvas, at: origin.offset(dx: 2, dy: 1),
      lines: first..<min(page.lines.count, first + rows), theme: theme)
  }
}

extension Command<HelpView> {
  /// A move by so many lines, told from those of a page and from how often it is asked for.
  fileprivate static func moving(
    _ name: String, _ keys: KeySequence...,
    by lines: @escaping @MainActor (_ page: Int, _ times: Int) -> Int
  ) -> Command {
    Command(name, keys: keys, help: "", mostAtOnce: .max) { view, call in
      view.scroll(by: lines(view.pageLines, min(call.times, KeyReader.maximumCount)))
      return .done
    }
  }
}

import Geometry
import Terminal
import TerminalViews
import TextLayout

/// The line after `:`, in which commands are asked for by their names.
@MainActor final class CommandPrompt: View, Responder {
  /// Enter was pressed, after what is entered now and was before; the prompt has gone.
  var onSubmit: ((_ line: String, _ history: [String]) -> Void)?
  private let field: TextField
  /// The commands that can be asked for, by their names.
  private let choices: [TableCommand]
  private let theme: Theme
  /// The part of a name that Tab completes, and which of the names it begins stands there.
  private var completed: (stem: String, index: Int)?
  private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  /// Lines that the history keeps.
  static let maximumHistory = 100

  init(_ text: String, choices: [TableCommand], history: [String], theme: Theme) {
    self.choices = choices.sorted { $0.name < $1.name }
    self.theme = theme
    field = TextField(theme: theme)
    super.init(name: "prompt")
    addSubview(field)
    field.text = text
    field.history = history
    field.onChange = { [unowned self] _ in completed = nil }
    field.onSubmit = { [unowned self] text in
      // Nobody else may hold it then.
      let (onSubmit, history) = (onSubmit, Array(field.history.suffix(Self.maximumHistory)))
      close()
      onSubmit?(text, history)
    }
  }

  private static let commands: [Command<CommandPrompt>] = [
    Command("complete", "tab", help: "") { prompt, _ in prompt.complete(by: 1) },
    Command("complete-back", "shift-tab", help: "") { prompt, _ in prompt.complete(by: -1) },
    Command("close", "escape", help: "") { prompt, _ in prompt.close() },
  ]

  private func close() { application?.window.dismiss(self) }

  // MARK: Completion

  /// A number before the name, what there is of the name, and whether something follows it.
  private var typed: (count: Substring, name: Substring, isWhole: Bool) {
    let text = field.text
    let count = text.prefix { $0 == " " || ("0"..."9").contains($0) }
    let name = text[count.endIndex...].prefix { $0 != " " }
    return (count, name, name.endIndex < text.endIndex)
  }

  private func choices(beginningWith stem: some StringProtocol) -> [TableCommand] {
    choices.filter { $0.name.hasPrefix(stem) }
  }

  /// As much of a name as is certain, then one name after the other.
  private func complete(by step: Int) {
    let (count, name, isWhole) = typed
    guard !isWhole else { return }
    let stem = completed?.stem ?? String(name)
    let names = choices(beginningWith: stem).map(\.name)
    guard var common = names.first else { return }
    for name in names { while !name.hasPrefix(common) { common.removeLast() } }
    if completed == nil, common.count > stem.count {
      field.text = "\(count)\(common)"
    } else {
      let next = completed.map { $0.index + step } ?? (step > 0 ? 0 : names.count - 1)
      let index = (next + names.count) % names.count
      completed = (stem, index)
      field.text = "\(count)\(names[index])"
    }
  }

  /// The names there are to choose from; what the command does where only one is left.
  var hint: String? {
    let (_, name, isWhole) = typed
    guard !isWhole else { return choices.first { $0.name == name }?.usage ?? "" }
    let stem = completed?.stem ?? String(name)
    guard !stem.isEmpty else { return "Tab completes   ↑ ↓ earlier ones   Enter runs   Esc leaves" }
    let found = choices(beginningWith: stem)
    guard let only = found.first, found.count == 1 else {
      return found.map(\.name).joined(separator: "   ")
    }
    return only.usage
  }

  // MARK: Drawing

  override var frame: Rect {
    didSet { field.frame = Rect(x: 2, y: 0, width: max(0, frame.width - 3), height: frame.height) }
  }

  override func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.draw(
      ":", at: origin.offset(dx: 1, dy: 0),
      style: Style(foreground: theme.accent, attributes: .bold))
  }
}

import ConstraintLayout
import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A line of text that can be edited, with a history of entered lines.
@MainActor public final class TextField: View, TextInput {
  /// Called on Enter, after the text was added to the history and the field emptied. If `nil`, the
  /// key is free for other views.
  public var onSubmit: ((String) -> Void)?
  /// Called when the user has changed the text.
  public var onChange: ((String) -> Void)?
  /// The lines entered before, oldest first; the up and down arrows go through it.
  public var history: [String] = []
  /// The largest number of characters; text typed or pasted beyond it is dropped. Unlimited by
  /// default.
  public var maximumLength = Int.max
  /// The text shown while the field is empty.
  public var placeholder: String
  public private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  /// The text on both sides of the cursor, which thus always stands between whole characters.
  private var before = ""
  private var after = ""
  /// The position in the history, and the text that was in the field before.
  private var recalled: (index: Int, draft: String)?
  /// The columns of text scrolled out to the left.
  private var scrolledColumns = 0

  /// An empty field.
  public init(placeholder: String = "", name: String = "text field") {
    self.placeholder = placeholder
    super.init(name: name)
  }

  /// The text, sanitized. Setting it puts the cursor at its end.
  public var text: String {
    get { before + after }
    set {
      (before, after) = (Self.line(newValue), "")
      setNeedsDisplay()
    }
  }

  override public var intrinsicContentSize: IntrinsicSize { IntrinsicSize(height: 1) }

  // MARK: Responder

  public var canBeFocused: Bool { true }

  public var cursor: Cursor? {
    Cursor(at: Point(x: cursorColumn - scrolledColumns, y: 0), isVisible: true)
  }

  public func mouse(_ event: MouseEvent) -> Bool {
    guard case .press(.left) = event.kind else { return false }
    application?.window.focus(self)
    let text = text
    var columns = 0
    before = String(
      text.prefix { character in
        columns += TextMetrics.current.width(of: character)
        return columns <= event.position.x + scrolledColumns
      })
    after = String(text.dropFirst(before.count))
    setNeedsDisplay()
    return true
  }

  /// Inserts text at the cursor, sanitized and as one line.
  public func insertText(_ text: String) {
    let room = max(0, maximumLength - before.count - after.count)
    before = Self.line(before + text.prefix(room))
    changed()
  }

  /// The sanitized text without line breaks.
  private static func line(_ text: String) -> String {
    String(Sanitizer.text(text).map { $0 == "\n" ? " " : $0 })
  }

  // MARK: Editing

  private static let commands: [Command<TextField>] = [
    .editing("cursor-left", "left", "ctrl-b") { $0.moveLeft() },
    .editing("cursor-right", "right", "ctrl-f") { $0.moveRight() },
    .editing("word-left", "ctrl-left", "alt-left", "alt-b") { $0.moveWordLeft() },
    .editing("word-right", "ctrl-right", "alt-right", "alt-f") { $0.moveWordRight() },
    .editing("line-start", "home", "ctrl-a") { field in
      (field.before, field.after) = ("", field.text)
    },
    .editing("line-end", "end", "ctrl-e") { field in
      (field.before, field.after) = (field.text, "")
    },
    .editing("delete-left", "backspace", "ctrl-h") {
      if !$0.before.isEmpty { $0.before.removeLast() }
    },
    .editing("delete-right", "delete", "ctrl-d") {
      if !$0.after.isEmpty { $0.after.removeFirst() }
    },
    .editing("delete-word", "ctrl-w", "alt-backspace") { field in
      let rest = field.after
      field.moveWordLeft()
      field.after = rest
    },
    .editing("delete-to-start", "ctrl-u") { $0.before = "" },
    .editing("delete-to-end", "ctrl-k") { $0.after = "" },
    Command("history-back", "up", "ctrl-p", help: "") { field, _ in field.recall(-1) },
    Command("history-forward", "down", "ctrl-n", help: "") { field, _ in field.recall(1) },
    Command("submit", "enter", help: "") { field, _ in field.submit() },
  ]

  private func moveLeft() {
    guard let character = before.popLast() else { return }
    after.insert(character, at: after.startIndex)
  }

  private func moveRight() {
    guard let character = after.first else { return }
    after.removeFirst()
    before.append(character)
  }

  private func moveWordLeft() {
    while before.last == " " { moveLeft() }
    while let last = before.last, last != " " { moveLeft() }
  }

  private func moveWordRight() {
    while after.first == " " { moveRight() }
    while let first = after.first, first != " " { moveRight() }
  }

  fileprivate func changed() {
    recalled = nil
    setNeedsDisplay()
    onChange?(text)
  }

  private func submit() -> CommandOutcome {
    guard let onSubmit else { return .passed }
    let entered = text
    if !entered.isEmpty, entered != history.last { history.append(entered) }
    recalled = nil
    text = ""
    onSubmit(entered)
    return .done
  }

  private func recall(_ step: Int) -> CommandOutcome {
    guard !history.isEmpty else { return .passed }
    let index = (recalled?.index ?? history.count) + step
    guard index >= 0, index <= history.count else { return .done }
    let draft = recalled?.draft ?? text
    text = index < history.count ? history[index] : draft
    recalled = index < history.count ? (index, draft) : nil
    onChange?(text)
    return .done
  }

  // MARK: Drawing

  private var cursorColumn: Int { TextMetrics.current.width(of: before) }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    guard frame.width > 0, frame.height > 0 else { return }
    // The cursor stays visible, with as much of the text before it as fits.
    let column = cursorColumn
    let end = column + TextMetrics.current.width(of: after) + 1
    scrolledColumns = min(scrolledColumns, column, max(0, end - frame.width))
    scrolledColumns = max(scrolledColumns, column + 1 - frame.width)
    let isEmpty = before.isEmpty && after.isEmpty
    canvas.draw(
      isEmpty ? Sanitizer.line(placeholder) : text,
      at: origin.offset(dx: isEmpty ? 0 : -scrolledColumns, dy: 0),
      style: theme.style(for: TextStyle(role: isEmpty ? .secondary : .body)))
  }
}

extension Command<TextField> {
  fileprivate static func editing(
    _ name: String, _ keys: KeySequence..., action: @escaping @MainActor (TextField) -> Void
  ) -> Command {
    Command(name, keys: keys, help: "") { field, _ in
      let old = field.text
      action(field)
      field.setNeedsDisplay()
      if field.text != old { field.changed() }
      return .done
    }
  }
}

import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A prompt at the bottom of the screen that asks for a line of text while the content stays
/// visible, such as a text to search for.
@MainActor public class LinePrompt: View, Responder {
  /// Called when the user has changed the text.
  public var onChange: ((_ text: String) -> Void)?
  /// Called after Enter, when the prompt is closed, with the text and the history including it,
  /// oldest first.
  public var onSubmit: ((_ text: String, _ history: [String]) -> Void)?
  /// Called when the user has left the prompt without Enter.
  public var onCancel: (() -> Void)?
  /// Returns the line of keys while the prompt is open; called for every frame.
  public var hintText: () -> String = { "" }
  private let mark: String
  let field = TextField()
  public private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  /// The largest number of lines in the history, and of characters in a line.
  static let maximumHistory = 100
  static let maximumLength = 1_000

  /// - Parameters:
  ///   - mark: the text before the field: `/`, or a word, which is followed by a blank.
  ///   - text: the text in the field at first.
  ///   - history: the lines entered before, oldest first; the up and down arrows go through it.
  public init(_ mark: String, text: String = "", history: [String] = []) {
    let line = Sanitizer.line(mark)
    self.mark = line.count > 1 ? line + " " : line
    super.init(name: "prompt")
    addSubview(field)
    field.maximumLength = Self.maximumLength
    field.text = text
    field.history = history
    field.onChange = { [unowned self] text in onChange?(text) }
    field.onSubmit = { [unowned self] text in
      // Closing may release this prompt.
      let (onSubmit, history) = (onSubmit, Array(field.history.suffix(Self.maximumHistory)))
      close()
      onSubmit?(text, history)
    }
  }

  private static let commands: [Command<LinePrompt>] = [
    Command("close", "escape", help: "") { prompt, _ in
      let onCancel = prompt.onCancel
      prompt.close()
      onCancel?()
    }
  ]

  /// Shows the prompt in place of the status line; it receives all keys until Enter or Esc.
  public func open(in window: Window) { window.present(self, at: .statusLine) }

  private func close() { application?.window.dismiss(self) }

  public var hint: String? { hintText() }

  private var markColumns: Int { TextMetrics.current.width(of: mark) }

  override public var frame: Rect {
    didSet {
      let start = markColumns + 1
      field.frame = Rect(
        x: start, y: 0, width: max(0, frame.width - start - 1), height: frame.height)
    }
  }

  override public func draw(in canvas: inout Canvas, at origin: Point) {
    canvas.draw(mark, at: origin.offset(dx: 1, dy: 0), style: theme.emphasizedAccent)
  }
}

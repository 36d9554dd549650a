import Geometry
import Terminal
import TerminalViews
import TextLayout

/// A line at the bottom of the screen in which something is asked for while the content stays in
/// sight, as a text to search for.
@MainActor public class LinePrompt: View, Responder {
  /// The user has changed the text.
  public var onChange: ((_ text: String) -> Void)?
  /// The user has pressed Enter, after what is entered now and was before, the oldest first; the
  /// prompt has gone.
  public var onSubmit: ((_ text: String, _ history: [String]) -> Void)?
  /// The user has left the prompt without Enter.
  public var onCancel: (() -> Void)?
  /// What the line of keys says meanwhile; asked for with every frame.
  public var hintText: () -> String = { "" }
  private let mark: String
  let field = TextField()
  public private(set) lazy var commands: CommandTable = CommandTable(of: self, Self.commands)

  /// Lines that the history keeps, and characters of a line.
  static let maximumHistory = 100
  static let maximumLength = 1_000

  /// - Parameters:
  ///   - mark: what stands before the text: `/`, or a word, behind which a blank stands.
  ///   - text: what is in it at first.
  ///   - history: what was entered before, the oldest first; the arrows up and down go through it.
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
      // Nobody else may hold it then.
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

  /// Shows it in the place of the status line; keys are its own until Enter or Esc.
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
    canvas.draw(mark, at: origin.offset(dx: 1, dy: 0), style: theme.pointedOut)
  }
}

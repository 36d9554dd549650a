import Geometry
import Terminal
import TerminalViews

/// A view that keys and the pointer can be meant for.
///
/// Keys go to the view with the focus, then to the views around it, the innermost first, then to
/// the application; each is asked through its ``commands``. The pointer goes to the innermost view
/// under it, then to those around that one. Whoever does not want an event says so, and the next is
/// asked.
@MainActor public protocol Responder: View {
  /// What keys ask it for; made once.
  var commands: CommandTable { get }

  /// Commands that come before those of the views inside it; nil, the default, while there are
  /// none.
  var priorityCommands: CommandTable? { get }

  /// Whether it can have the focus; false by default.
  var canBeFocused: Bool { get }

  /// Where the terminal's cursor belongs while the view has the focus, from the view's corner; nil,
  /// the default, where it does not matter.
  var cursor: Cursor? { get }

  /// The keys that matter while the view has the focus, for the status line; nil by default.
  var hint: String? { get }

  /// A button was pressed over the view, or after that dragged or released anywhere; positions
  /// count from the view's corner.
  ///
  /// - Returns: whether the view took it; false by default.
  func mouse(_ event: MouseEvent) -> Bool
}

/// A place for the terminal's cursor.
public struct Cursor: Hashable, Sendable {
  /// From the view's corner.
  public var position: Point
  /// Whether it is seen; screen readers follow it in any case.
  public var isVisible: Bool

  /// A cursor that is not seen, unless told otherwise.
  public init(at position: Point, isVisible: Bool = false) {
    self.position = position
    self.isVisible = isVisible
  }
}

extension Responder {
  public var priorityCommands: CommandTable? { nil }
  public var canBeFocused: Bool { false }
  public var cursor: Cursor? { nil }
  public var hint: String? { nil }
  public func mouse(_ event: MouseEvent) -> Bool { false }
}

/// A responder that takes text while it has the focus: characters typed without Control or Alt, and
/// what is pasted, are no keys of anyone's then.
@MainActor public protocol TextInput: Responder {
  /// The user has typed or pasted this.
  func insertText(_ text: String)
}

/// A panel that shares the screen with the content and is not modal: while it is open its commands
/// come before all others.
@MainActor public protocol SidePanel: Responder {
  /// Takes its part of `area`.
  ///
  /// - Returns: what is left to the content.
  func arrange(in area: Rect) -> Rect

  /// It is about to be shown.
  func willOpen(in application: TerminalApplication)
  /// It is shown no more.
  func didClose()
  /// Draws on the content what belongs over it, before the panel is drawn.
  func draw(over content: inout Canvas)
}

/// A view that takes part in the frames of its application beyond being drawn.
@MainActor public protocol FrameWorking: View {
  /// The application has begun to run, or shows the view in a panel now; called once, before its
  /// first frame.
  func applicationStarted()
  /// Something was typed: what moves by itself comes to its end.
  func inputArrived()
  /// Brings what the frame shows up to date.
  func prepareFrame()
  /// The frame is shown; the terminal took so long to take it.
  func framePresented(in time: Duration)
  /// Does one piece of what the next frames may need, in a turn of its own.
  ///
  /// - Returns: whether there is more to do.
  func prepareAhead() -> Bool
  /// Does a little of what is worth doing while nothing happens.
  ///
  /// - Returns: whether there is more to do.
  func workIdle() -> Bool
}

extension FrameWorking {
  public func applicationStarted() {}
  public func inputArrived() {}
  public func prepareFrame() {}
  public func framePresented(in time: Duration) {}
  public func prepareAhead() -> Bool { false }
  public func workIdle() -> Bool { false }
}

/// A content view that has something to say in the status line and on the help page; with it come
/// both lines at the bottom.
@MainActor public protocol StatusProviding: View {
  /// What the status line says now.
  var status: StatusBar.Content { get }
  /// What the help page is headed with.
  var helpTitle: String { get }
  /// Paragraphs that the help page begins with.
  var helpNotes: [String] { get }
}

extension StatusProviding {
  public var helpTitle: String { status.source }
  public var helpNotes: [String] { [] }
}

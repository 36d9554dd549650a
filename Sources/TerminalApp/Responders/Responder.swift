import Geometry
import Terminal
import TerminalViews

/// A view that receives keys and events of the pointer, and takes part in its application's frames
/// besides being drawn.
///
/// Keys go to the view with the focus, then to the views around it, innermost first, then to the
/// application; each is asked through its ``commands``. Events of the pointer go to the innermost
/// view under it, then to the views around that one. A view that does not want an event passes it
/// on.
@MainActor public protocol Responder: View {
  /// The view's commands, created once.
  var commands: CommandTable { get }

  /// Commands looked up before those of the views inside; `nil`, the default, if there are none.
  var priorityCommands: CommandTable? { get }

  /// Whether the view can have the focus; `false` by default.
  var canBeFocused: Bool { get }

  /// The position of the terminal's cursor, from the view's corner, while the view has the focus;
  /// `nil`, the default, if the view has no such position.
  var cursor: Cursor? { get }

  /// The keys that matter while the view has the focus, for the status line; `nil` by default.
  var hint: String? { get }

  /// Handles an event of a button: a press over the view, or a drag or release anywhere after it.
  /// Positions are relative to the view's corner.
  ///
  /// - Returns: whether the view has handled it; `false` by default.
  func mouse(_ event: MouseEvent) -> Bool

  // MARK: Frames, in which the view has nothing to do by default

  /// The application has started, or now shows the view in a panel; called once, before the view's
  /// first frame.
  func applicationStarted()
  /// Input has arrived: animations finish.
  func inputArrived()
  /// Updates the content that the frame shows.
  func prepareFrame()
  /// The frame is shown; the terminal took `time` to accept it.
  func framePresented(in time: Duration)
  /// Prepares one piece of content for the next frame, in a turn of its own.
  ///
  /// - Returns: whether there is more to do.
  func prepareAhead() -> Bool
  /// Does one piece of idle work.
  ///
  /// - Returns: whether there is more to do.
  func workIdle() -> Bool
}

/// A position of the terminal's cursor.
public struct Cursor: Hashable, Sendable {
  /// Relative to the view's corner.
  public var position: Point
  /// Whether the cursor is visible; screen readers follow it in any case.
  public var isVisible: Bool

  /// A cursor, invisible by default.
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
  public func applicationStarted() {}
  public func inputArrived() {}
  public func prepareFrame() {}
  public func framePresented(in time: Duration) {}
  public func prepareAhead() -> Bool { false }
  public func workIdle() -> Bool { false }
}

/// A responder that takes text while it has the focus: pasted text and characters typed without
/// Control or Alt are then not looked up as commands.
@MainActor public protocol TextInput: Responder {
  /// Inserts text that the user has typed or pasted.
  func insertText(_ text: String)
}

/// A panel beside the content that is not modal: while it is open, its commands are looked up
/// before those of the content.
@MainActor public protocol SidePanel: Responder {
  /// Takes a part of `area`.
  ///
  /// - Returns: the rest, for the content.
  func arrange(in area: Rect) -> Rect

  /// Called before the panel is shown.
  func willOpen(in application: TerminalApplication)
  /// Called after the panel was closed.
  func didClose()
  /// Draws on top of the content, before the panel itself is drawn.
  func draw(over content: inout Canvas)
}

/// A content view that provides texts for the status line and the help page; it makes the window
/// show both status lines.
@MainActor public protocol StatusProviding: View {
  /// The current content of the status lines.
  var status: StatusBar.Content { get }
  /// Whether the status has a caption above it, empty or not; false by default.
  var hasCaption: Bool { get }
  /// The heading of the help page.
  var helpTitle: String { get }
  /// The first paragraphs of the help page.
  var helpNotes: [String] { get }
  /// The keys to learn first, which the help page shows before all others; none by default.
  var helpFirstKeys: [CommandTable.HelpLine] { get }
}

extension StatusProviding {
  public var hasCaption: Bool { false }
  public var helpTitle: String { status.source }
  public var helpNotes: [String] { [] }
  public var helpFirstKeys: [CommandTable.HelpLine] { [] }
}

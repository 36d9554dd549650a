import Geometry

/// An event caused by the user or the system.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed, with these modifiers.
  case key(Key, KeyModifiers)
  /// The wheel or a button of the mouse was used, if the mouse is reported.
  case mouse(MouseEvent)
  /// The terminal has a new size; all of it must be drawn again.
  case resize(Size)
  /// The program continues after a stop; the screen must be drawn again.
  case resumed
  /// Text was pasted into the terminal; its line breaks are `"\n"`, and it is cut at 1 MiB.
  case paste(String)
  /// A paste began, and no input followed for ten seconds; its text is dropped.
  case pasteAbandoned
  /// This signal asks the program to end; `SIGHUP` also if the terminal is gone.
  case terminate(Int32)

  /// A key without modifiers.
  public static func key(_ key: Key) -> InputEvent { .key(key, []) }
}

/// A key by its meaning, not by its position.
public enum Key: Hashable, Sendable {
  /// One typed code point. A control character is its small letter with ``KeyModifiers/control``.
  case character(Character)
  /// Keys that move the cursor.
  case up, down, left, right, pageUp, pageDown, home, end
  /// Other named keys.
  case enter, escape, tab, backspace, delete, insert
  /// A function key: F1 is 1.
  case function(Int)
}

/// Keys held while another is pressed. Shift is reported for named keys and, on some terminals,
/// together with Control; otherwise the case of a letter includes it.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Shift.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Alt, or Escape right before the key.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Control.
  public static let control = KeyModifiers(rawValue: 4)
}

/// A wheel step or a button of the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
    /// A step of the wheel.
    case wheelUp, wheelDown, wheelLeft, wheelRight
    /// A button went down.
    case press(Button)
    /// A button went up.
    case release(Button)
    /// The pointer moved to another cell while a button was down.
    case drag(Button)
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The usual three.
    case left, middle, right
    /// An unknown button, or a further one.
    case other
  }

  /// The kind of the event.
  public var kind: Kind
  /// The cell under the pointer, counted from the upper left corner.
  public var position: Point
  /// The keys held meanwhile, if the terminal reports them.
  public var modifiers: KeyModifiers

  /// An event at a cell.
  public init(_ kind: Kind, at position: Point, modifiers: KeyModifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }
}

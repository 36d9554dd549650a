import Geometry

/// Something the user or the system did to the terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed, with these held.
  case key(Key, KeyModifiers)
  /// The wheel or a button of the mouse, where it is reported.
  case mouse(MouseEvent)
  /// The terminal has another size now; what was on it must be drawn again.
  case resize(Size)
  /// The program runs again after it was stopped; what was on the screen must be drawn again.
  case resumed
  /// Text pasted into the terminal, line breaks as `"\n"`.
  case paste(String)
  /// A paste began and its end has not come for ten seconds; what came of it is dropped.
  case pasteAbandoned
  /// The program is asked to end by this signal; `SIGHUP` also where the terminal is gone.
  case terminate(Int32)

  /// A key without modifiers.
  public static func key(_ key: Key) -> InputEvent { .key(key, []) }
}

/// A key, as what it means and not where it lies.
public enum Key: Hashable, Sendable {
  /// One code point typed; a control letter is the small letter with ``KeyModifiers/control``.
  case character(Character)
  /// The keys that move.
  case up, down, left, right, pageUp, pageDown, home, end
  /// Other keys with names.
  case enter, escape, tab, backspace, delete, insert
  /// F1 is 1.
  case function(Int)
}

/// Keys held while another is pressed. Shift is told for named keys only: a letter carries it
/// itself.
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
  /// What was done.
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

  /// One of the mouse's.
  public enum Button: Hashable, Sendable {
    /// The usual three.
    case left, middle, right
    /// Which button it was is not told, or it is a further one.
    case other
  }

  /// What was done.
  public var kind: Kind
  /// The cell under the pointer, from the upper left corner.
  public var position: Point
  /// Keys held meanwhile, where the terminal tells.
  public var modifiers: KeyModifiers

  /// An event at a cell.
  public init(_ kind: Kind, at position: Point, modifiers: KeyModifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }
}

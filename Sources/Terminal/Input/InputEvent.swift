import Geometry

/// Something the user or the system did to the terminal.
public enum InputEvent: Hashable, Sendable {
  case key(Key, KeyModifiers)
  case mouse(MouseEvent)
  /// The terminal has another size now; what was on it must be drawn again.
  case resize(Size)
  /// The program runs again after it was stopped; what was on the screen must be drawn again.
  case resumed
  /// Text pasted into the terminal, line breaks as `"\n"`.
  case paste(String)
  /// The program is asked to end by this signal; `SIGHUP` also where the terminal is gone.
  case terminate(Int32)

  /// A key without modifiers.
  public static func key(_ key: Key) -> InputEvent { .key(key, []) }
}

/// A key, as what it means and not where it lies.
public enum Key: Hashable, Sendable {
  /// One code point typed; a control letter is the small letter with ``KeyModifiers/control``.
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, tab, backspace, delete, insert
  /// F1 is 1.
  case function(Int)
}

/// Keys held while another is pressed. Shift is told for named keys only: a letter carries it itself.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let shift = KeyModifiers(rawValue: 1)
  public static let alt = KeyModifiers(rawValue: 2)
  public static let control = KeyModifiers(rawValue: 4)
}

/// A wheel step or a button of the mouse.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case wheelUp, wheelDown, wheelLeft, wheelRight
    case press(Button)
    case release(Button)
    case drag(Button)
  }

  public enum Button: Hashable, Sendable {
    case left, middle, right
    /// Which button it was is not told, or it is a further one.
    case other
  }

  public var kind: Kind
  /// The cell under the pointer, from the upper left corner.
  public var position: Point
  public var modifiers: KeyModifiers

  public init(_ kind: Kind, at position: Point, modifiers: KeyModifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }
}

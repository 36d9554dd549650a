import Geometry

/// A report of a terminal's mouse protocols.
struct MouseReport {
  /// Button in the low bits, 4 shift, 8 alt, 16 control, 32 motion, 64 wheel.
  var code: Int
  /// Column and row, from 1.
  var column: Int
  var row: Int
  /// `nil` for protocols that report a release as button 3.
  var isRelease: Bool?

  /// The event; `nil` for motion without a button, for releases of the wheel, and for buttons
  /// beyond the wheel's.
  var event: MouseEvent? {
    guard code >= 0, code < 128, column > 0, row > 0 else { return nil }
    let modifiers = KeyModifiers(bits: code >> 2)
    let position = Point(x: column - 1, y: row - 1)
    let low = code & 3
    if code & 64 != 0 {
      if isRelease == true { return nil }
      let kinds: [MouseEvent.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
      return MouseEvent(kinds[low], at: position, modifiers: modifiers)
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right, .other]
    if code & 32 != 0 {
      return low == 3 ? nil : MouseEvent(.drag(buttons[low]), at: position, modifiers: modifiers)
    }
    if isRelease ?? (low == 3) {
      return MouseEvent(.release(buttons[low]), at: position, modifiers: modifiers)
    }
    return MouseEvent(.press(buttons[low]), at: position, modifiers: modifiers)
  }
}

/// The bytes that a terminal sends for a key, as from xterm with the application keypad on.
public enum TerminalKey {
  public static let up = "\u{1b}OA"
  public static let down = "\u{1b}OB"
  public static let right = "\u{1b}OC"
  public static let left = "\u{1b}OD"
  public static let home = "\u{1b}OH"
  public static let end = "\u{1b}OF"
  public static let pageUp = "\u{1b}[5~"
  public static let pageDown = "\u{1b}[6~"
  public static let delete = "\u{1b}[3~"
  public static let backspace = "\u{7f}"
  public static let enter = "\r"
  public static let escape = "\u{1b}"
  public static let tab = "\t"

  /// Control with a letter, such as `control("e")`.
  public static func control(_ letter: Character) -> String {
    guard let value = letter.asciiValue else { return String(letter) }
    return String(Unicode.Scalar(value & 0x1f))
  }

  /// Mouse reports in the SGR encoding; columns and rows count from 0.
  public static func wheelUp(column: Int, row: Int) -> String { mouse(64, column, row, "M") }
  public static func wheelDown(column: Int, row: Int) -> String { mouse(65, column, row, "M") }
  public static func press(column: Int, row: Int) -> String { mouse(0, column, row, "M") }
  public static func drag(column: Int, row: Int) -> String { mouse(32, column, row, "M") }
  public static func release(column: Int, row: Int) -> String { mouse(0, column, row, "m") }

  /// Pasted text as a terminal sends it in bracketed paste mode.
  public static func paste(_ text: String) -> String { "\u{1b}[200~\(text)\u{1b}[201~" }

  private static func mouse(_ button: Int, _ column: Int, _ row: Int, _ end: String) -> String {
    "\u{1b}[<\(button);\(column + 1);\(row + 1)\(end)"
  }
}

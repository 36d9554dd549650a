/// A terminal's reply to a query.
enum TerminalReply: Hashable {
  /// DA1: the class of terminal and its features; 4 is sixel. Every terminal answers it.
  case attributes([Int])
  /// DA2: the first number is the kind of terminal; 83 is screen, 84 tmux.
  case kind(Int)
  /// DECRPM: the states 1 and 2 mean that the mode exists.
  case mode(Int, state: Int)
  /// XTVERSION.
  case version(String)
  /// DECRQSS: the string that sets the requested attribute.
  case setting(String)
  /// The cursor's row and column, from 1.
  case cursor(row: Int, column: Int)
  /// Window reports, 4 and 6: the sizes in pixels of the text area and of a cell.
  case window([Int])
  /// Whether the window has the focus.
  case focus(Bool)
  /// OSC colour reports: 10 is the foreground, 11 the background, 4 an entry of the palette.
  case color(Int, String)
}

/// What a terminal answers when asked about itself.
enum TerminalReply: Hashable {
  /// DA1: the class of terminal and what it can do; 4 is sixel. Every terminal answers it.
  case attributes([Int])
  /// DA2: the first number is the kind of terminal; 83 is screen, 84 tmux.
  case kind(Int)
  /// DECRPM: 1 and 2 say that the mode exists.
  case mode(Int, state: Int)
  /// XTVERSION.
  case version(String)
  /// DECRQSS: the string that sets what was asked for.
  case setting(String)
  /// The cursor's row and column, from 1.
  case cursor(row: Int, column: Int)
  /// Window reports, 4 and 6: the sizes in pixels of the text area and of a cell.
  case window([Int])
  /// The window is used from now on, or no longer.
  case focus(Bool)
  /// OSC colour reports: 10 is the foreground, 11 the background, 4 an entry of the palette.
  case color(Int, String)
}

import System

/// Why no screen could be opened.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Neither standard input, standard output nor `/dev/tty` is a terminal; the errno of opening the
  /// last.
  case noTerminal(errno: Int32)
  /// `TERM` is empty or not set.
  case termNotSet
  /// No description of a terminal of this name is installed.
  case unknownTerminal(String)
  /// A terminal of this name cannot move its cursor.
  case cannotMoveCursor(String)
  /// A system call failed.
  case system(call: String, errno: Int32)

  public var description: String {
    switch self {
    case .noTerminal(let code):
      "no terminal to draw on: /dev/tty: \(SystemFailure.message(of: code))"
    case .termNotSet: "TERM is not set, so the kind of terminal is unknown"
    case .unknownTerminal(let name): "nothing is known about a terminal named '\(name)' (TERM)"
    case .cannotMoveCursor(let name): "a terminal named '\(name)' (TERM) cannot move its cursor"
    case .system(let call, let code): "\(call): \(SystemFailure.message(of: code))"
    }
  }
}

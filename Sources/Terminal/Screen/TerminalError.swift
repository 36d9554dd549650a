import System

/// Why no screen could be opened.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Standard input or standard output is no terminal, and `/dev/tty` cannot be opened in its
  /// place; the errno of opening it.
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

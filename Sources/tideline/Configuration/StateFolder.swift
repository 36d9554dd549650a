import System

/// Where the program keeps what it knows of the reader between runs.
enum StateFolder {
  /// `tideline` in `$XDG_STATE_HOME` or `~/.local/state`; nil where there is no home.
  static var path: String? {
    let environment = ProcessEnvironment.variables
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return state + "/tideline"
    }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/tideline" : nil }
  }
}

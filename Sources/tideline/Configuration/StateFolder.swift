import System

/// The folder for state that is kept between runs.
enum StateFolder {
  /// `tideline` in `$XDG_STATE_HOME` or `~/.local/state`; `nil` if neither `XDG_STATE_HOME` nor
  /// `HOME` is an absolute path.
  static var path: String? {
    let environment = ProcessEnvironment.variables
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return state + "/tideline"
    }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/tideline" : nil }
  }
}

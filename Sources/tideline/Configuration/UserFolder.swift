import System

/// The user's folders of this program.
enum UserFolder {
  /// For state that is kept between runs.
  static var state: String? { path("XDG_STATE_HOME", orInHome: ".local/state") }
  static var data: String? { path("XDG_DATA_HOME", orInHome: ".local/share") }
  static var cache: String? { path("XDG_CACHE_HOME", orInHome: ".cache") }

  /// `tideline` in the folder that a variable names, else in a folder of the home folder; `nil` if
  /// neither the variable nor `HOME` is an absolute path.
  private static func path(_ variable: String, orInHome folder: String) -> String? {
    let environment = ProcessEnvironment.variables
    if let named = environment[variable], named.hasPrefix("/") { return named + "/tideline" }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/\(folder)/tideline" : nil }
  }
}

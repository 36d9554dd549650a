/// Browsers that show pages on the terminal, recognized by name.
enum TextBrowsers {
  private static let names: Set = [
    "browsh", "carbonyl", "cha", "edbrowse", "elinks", "felinks", "links", "links2", "lynx",
    "netrik", "retawq", "w3m", "www-browser",
  ]
  /// Programs that start such a browser if there is no display.
  private static let browserLaunchers: Set = ["sensible-browser", "xdg-open"]
  /// Programs that run the program named by their arguments.
  private static let wrappers: Set = [
    "bash", "command", "dash", "doas", "env", "exec", "firejail", "ionice", "ksh", "nice",
    "proxychains", "proxychains4", "sh", "stdbuf", "sudo", "time", "timeout", "torify", "torsocks",
    "zsh",
  ]

  /// Whether a command line runs such a browser: whether its first program that is not a wrapper is
  /// one. Words within an argument count as well, as in `sh -c 'w3m "$1"' _ %s`.
  ///
  /// - Complexity: O(n) in the words.
  static func areStarted(by words: [String], hasDisplay: Bool) -> Bool {
    let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
    // With `-g`, links opens a window.
    guard !words.contains("-g") else { return false }
    for word in words {
      let name = word.split(separator: "/").last.map { String($0) } ?? ""
      if names.contains(name) || !hasDisplay && browserLaunchers.contains(name) { return true }
      // Options, their numbers and variable assignments stand before the program.
      let isBefore =
        word.hasPrefix("-") || word.contains("=") || word.first?.isNumber == true
      guard isBefore || wrappers.contains(name) else { return false }
    }
    return false
  }
}

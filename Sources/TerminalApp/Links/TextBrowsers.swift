/// Browsers that show pages on the terminal, known by their names.
enum TextBrowsers {
  private static let names: Set = [
    "browsh", "carbonyl", "cha", "edbrowse", "elinks", "felinks", "links", "links2", "lynx",
    "netrik", "retawq", "w3m", "www-browser",
  ]
  /// What starts one of those where there is no display.
  private static let choosers: Set = ["sensible-browser", "xdg-open"]
  /// Programs that run the one that they are given, where they are.
  private static let wrappers: Set = [
    "bash", "command", "dash", "doas", "env", "exec", "firejail", "ionice", "ksh", "nice",
    "proxychains",
    "proxychains4", "sh", "stdbuf", "sudo", "time", "timeout", "torify", "torsocks", "zsh",
  ]

  /// Whether the program that the words of a command line run in the end is such a browser: the
  /// first that is no wrapper. What a shell is given to run, as in `sh -c 'w3m "$1"' _ %s`, are
  /// words as well.
  ///
  /// - Complexity: O(n) in the words.
  static func areAsked(by words: [String], hasDisplay: Bool) -> Bool {
    let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
    // Links can show pages in a window of its own.
    guard !words.contains("-g") else { return false }
    for word in words {
      let name = word.split(separator: "/").last.map { String($0) } ?? ""
      if names.contains(name) || !hasDisplay && choosers.contains(name) { return true }
      // Options, their numbers and variables that are set stand before the program.
      let isBefore =
        word.hasPrefix("-") || word.contains("=") || word.first?.isNumber == true
      guard isBefore || wrappers.contains(name) else { return false }
    }
    return false
  }
}

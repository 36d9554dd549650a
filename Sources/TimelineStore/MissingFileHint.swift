/// Recognizes a web address without a scheme, an account or a community in the name of a missing
/// file.
struct MissingFileHint {
  /// What to type instead, in one clause.
  let text: String

  /// Nil if `name` can only be a file's.
  init?(_ name: String) {
    if let address = Self.account(name) ?? Self.community(name) {
      text = "its posts are at \(address)"
    } else if let address = Self.site(name) {
      text = "a web address is typed as \(address)"
    } else {
      return nil
    }
  }

  /// `@user@host`, of which Mastodon and its like have a feed.
  private static func account(_ name: String) -> String? {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty, parts[1].allSatisfy(isNamePart),
      isHost(parts[2])
    else { return nil }
    return "https://\(parts[2])/@\(parts[1]).rss"
  }

  /// `r/name`, as Reddit's communities are called.
  private static func community(_ name: String) -> String? {
    let parts = name.split(separator: "/")
    guard parts.count == 2, parts[0] == "r", parts[1].allSatisfy(isNamePart) else { return nil }
    return "https://www.reddit.com/r/\(parts[1])/.rss"
  }

  /// `example.org/feed`: an address without its scheme.
  private static func site(_ name: String) -> String? {
    let host = name.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    guard isHost(host) else { return nil }
    // Names of files end like this, too.
    let ending = host.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard host.endIndex != name.endIndex || !fileEndings.contains(ending) else { return nil }
    return "https://\(name)"
  }

  private static let fileEndings: Set<String> = [
    "atom", "bz2", "conf", "csv", "gz", "htm", "html", "json", "jsonl", "log", "md", "ndjson",
    "opml", "rdf", "rss", "tar", "tgz", "txt", "xml", "xz", "zip", "zst",
  ]

  private static func isHost(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last else { return false }
    return labels.allSatisfy { label in
      !label.isEmpty && label.first != "-" && label.last != "-"
        && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    } && last.count > 1 && last.contains(where: \.isLetter)
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_-.".contains(character)
  }
}

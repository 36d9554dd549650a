/// Recognizes, in the name of a missing file, a web address without a scheme, an account or a
/// community.
struct MissingFileHint {
  /// One clause that says which address to type instead.
  let text: String

  /// `nil` if `name` resembles none of these.
  init?(_ name: String) {
    if let address = Self.account(name) ?? Self.community(name) {
      text = "its posts are at \(address)"
    } else if let address = Self.site(name) {
      text = "a web address is typed as \(address)"
    } else {
      return nil
    }
  }

  /// Recognizes `@user@host`; Mastodon and compatible servers have a feed for each account.
  private static func account(_ name: String) -> String? {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty, parts[1].allSatisfy(isNamePart),
      isHost(parts[2])
    else { return nil }
    return "https://\(parts[2])/@\(parts[1]).rss"
  }

  /// Recognizes `r/name`, a community on Reddit.
  private static func community(_ name: String) -> String? {
    let parts = name.split(separator: "/")
    guard parts.count == 2, parts[0] == "r", parts[1].allSatisfy(isNamePart) else { return nil }
    return "https://www.reddit.com/r/\(parts[1])/.rss"
  }

  /// Recognizes `example.org/feed`, an address without its scheme.
  private static func site(_ name: String) -> String? {
    let host = name.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    guard isHost(host) else { return nil }
    // A bare name such as `notes.txt` is a file, not a host.
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

import Subscriptions
import System
import TextLayout

/// The choice of one of several feeds, on standard error.
enum FeedChoice {
  /// The feed that the user chooses.
  ///
  /// - Parameter advice: how one of them is named.
  /// - Throws: `Failure` with status 65 if there is no terminal to choose on, or nothing was chosen.
  static func chosen(
    of feeds: [FoundFeed], named name: String, advice: String
  ) throws(Failure) -> FoundFeed {
    let place = feeds.first?.namedBy ?? name
    Program.tell("\(place) names \(feeds.count.counted("feed")):")
    for (index, feed) in feeds.enumerated() {
      let title = feed.title.isEmpty ? "" : "  \(feed.title)"
      write("  " + Sanitizer.line("\(index + 1)  \(feed.address)\(title)") + "\n")
    }
    let failure = Failure(
      message: "\(name): name one of them: \(advice)", status: Program.Status.dataError)
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { throw failure }
    write("number: ")
    guard let number = readLine().flatMap({ Int($0.trimmed { $0 == " " }) }),
      feeds.indices.contains(number - 1)
    else { throw failure }
    return feeds[number - 1]
  }

  private static func write(_ text: String) {
    try? Output.write(text.utf8, to: STDERR_FILENO)
  }
}

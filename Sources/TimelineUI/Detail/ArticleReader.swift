import Feeds
import System
import Terminal
import TerminalApp

/// The program that prints articles as HTML (`set article rdrview -H %s`).
///
/// 1. It is started without a shell, detached from the terminal; the article's address is one of
///    its arguments.
/// 2. It is killed, with the programs that it has started, when it has taken ``patience`` or
///    printed more than ``maximumBytes``, and when its task is cancelled.
/// 3. What it prints is parsed off the main actor, and passes the same checks as a feed's HTML.
@MainActor package final class ArticleReader {
  /// Runs a program, and returns what it prints.
  typealias Run =
    @MainActor (_ words: [String], _ limit: Int, _ patience: Duration) async ->
    Result<[UInt8], ProgramFailure>

  /// The bytes that the program may print. `4 MiB`
  static let maximumBytes = 4 << 20
  /// The time that it may take. `30 s`
  static let patience = Duration.seconds(30)
  private static let threads = WorkerThreads(limit: 1)

  private var command: [String]?
  private var run: Run?

  /// A reader without a program.
  package nonisolated init() {}

  /// Lets `application` run the program.
  package func connect(to application: TerminalApplication) {
    connect { [weak application] words, limit, patience in
      guard let application else {
        return .failure(ProgramFailure(reason: "no program can be started"))
      }
      return await application.output(of: words, limit: limit, within: patience)
    }
  }

  func connect(_ run: @escaping Run) { self.run = run }

  /// Whether a program is set.
  var isSet: Bool { command != nil }

  /// The program's name; empty if none is set.
  var name: String { command.map { ProgramWords.name(of: $0) } ?? "" }

  /// The address of a post's article: the page that it is about, else its own; `nil` if there is
  /// none on the web.
  func address(of post: Post) -> LinkAddress? {
    let addresses = [post.externalURL, post.url].compactMap { text in
      text.flatMap { try? LinkAddress($0) }
    }
    return addresses.first { $0.text.hasPrefix("https:") || $0.text.hasPrefix("http:") }
  }

  /// Runs the program for an address, and returns the article that it prints.
  ///
  /// - Parameter post: the post that the article belongs to.
  func article(at address: LinkAddress, of post: Post) async -> Result<Post, ProgramFailure> {
    guard let command, let run else {
      return .failure(ProgramFailure(reason: "no program reads articles"))
    }
    let name = name
    let words = ProgramWords.filled(command, with: address.text)
    switch await run(words, Self.maximumBytes, Self.patience) {
    case .failure(let failure): return .failure(failure)
    case .success(let bytes):
      let article = await Self.threads.value {
        HTMLArticle.post(
          from: String(decoding: bytes, as: UTF8.self), at: address.text, of: post)
      }
      guard let article else {
        return .failure(ProgramFailure(reason: "\(name) printed no article"))
      }
      return .success(article)
    }
  }

  /// The setting `article`.
  var setting: Setting {
    Setting(
      "article", values: ["off"], other: "PROGRAM",
      help: "what prints an article's HTML for the page of a post, %s being the address",
      current: { [unowned self] in command?.joined(separator: " ") ?? "off" },
      change: { [unowned self] value in
        guard value != "off" else {
          command = nil
          return .done
        }
        guard let words = ProgramWords.split(value) else {
          return .refused(
            ProgramWords.missingEnd(of: value) ?? "a program, as in: set article rdrview -H %s")
        }
        if let problem = ProgramWords.problem(of: words) { return .refused(problem) }
        command = words
        return .done
      })
  }
}

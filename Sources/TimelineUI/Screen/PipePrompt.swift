import Feeds
import TerminalApp

/// A program that reads a post on its standard input: `[terminal] [--json] PROGRAM ARGUMENTS`.
struct PostPipe: Hashable {
  /// Whether the program has the terminal until it ends.
  private(set) var usesTerminal = false
  /// Whether it reads the post as the line that `--json` prints; otherwise the text that `--plain`
  /// prints.
  private(set) var isJSON = false
  private(set) var words: [String]

  /// `nil` if the line names no program, or a quotation mark is not closed.
  ///
  /// - Complexity: O(n) in the line.
  init?(_ line: String) {
    guard let words = ProgramWords.split(line) else { return nil }
    self.words = words
    while let first = self.words.first {
      if first == "terminal", !usesTerminal {
        usesTerminal = true
      } else if first == "--json", !isJSON {
        isJSON = true
      } else {
        return
      }
      self.words.removeFirst()
    }
    return nil
  }

  /// What the program reads.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Complexity: O(n) in the post's bytes.
  func text(of post: Post, now: Double) -> [UInt8] {
    let text = isJSON ? PostWriter.jsonItem(post) : PostWriter.plainText(post, now: now)
    return Array("\(text)\n".utf8)
  }
}

/// Asks for a program and hands it a post.
@MainActor final class PipePrompt {
  private var history: [String] = []

  /// Why `line` is no pipe, in one clause.
  private static func problem(of line: String) -> String {
    ProgramWords.missingEnd(of: line) ?? "a program and its arguments, as in: mail -s post"
  }

  /// Hands `post` to the program that a call of the command names, or asks for one.
  ///
  /// - Parameter now: seconds since 1970.
  func hand(
    _ post: Post, by call: CommandCall, now: Double, in application: TerminalApplication
  ) -> CommandOutcome {
    guard call.argument.isEmpty else {
      guard let pipe = PostPipe(call.argument) else {
        return .refused(Self.problem(of: call.argument))
      }
      application.pipe(pipe.text(of: post, now: now), to: pipe.words, onTerminal: pipe.usesTerminal)
      return .done
    }
    let prompt = LinePrompt("|", history: history)
    prompt.hintText = {
      "a program   --json before it: the JSON line   terminal before it: on the screen   Esc"
    }
    prompt.onSubmit = { [weak self, weak application] line, history in
      self?.history = history
      guard let application, !line.allSatisfy(\.isWhitespace) else { return }
      guard let pipe = PostPipe(line) else {
        return application.tell(Self.problem(of: line), .refusal)
      }
      application.pipe(pipe.text(of: post, now: now), to: pipe.words, onTerminal: pipe.usesTerminal)
    }
    prompt.open(in: application.window)
    return .done
  }
}

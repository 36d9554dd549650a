import System

/// Starts other programs; tests replace it with one that starts none.
struct ProgramStarter: Sendable {
  /// A program that was started.
  struct Running: Sendable {
    /// Waits for the program's end; call it once.
    let ending: @Sendable () async -> ChildProcess.Ending
    /// Kills the program.
    let kill: @Sendable () -> Void
  }

  /// Starts `words[0]` with the other words as arguments and `input` as standard input.
  let start: @Sendable (_ words: [String], _ input: [UInt8]) async -> Result<Running, SystemFailure>

  /// A program that was started on the terminal.
  struct Borrower: Sendable {
    /// Waits for the program's end; call it once. `onStop` is called, on any thread, each time the
    /// program has been stopped.
    let ending: @Sendable (_ onStop: @escaping @Sendable () -> Void) async -> ChildProcess.Ending
    /// Sends a signal, unless the program has ended.
    let send: @Sendable (Int32) -> Void
  }

  /// Starts `words[0]` on the terminal of these descriptors, beside this program; `text`, if there
  /// is any, is its standard input.
  var startOnTerminal:
    @Sendable (_ words: [String], _ text: [UInt8], _ input: Int32, _ output: Int32) async ->
      Result<Borrower, SystemFailure> = { _, _, _, _ in .failure(SystemFailure(code: ENOENT)) }

  /// A program whose output is read.
  struct Capture: Sendable {
    /// Waits for the program's end, and returns what it has written; call it once.
    let report: @Sendable () async -> (ending: ChildProcess.Ending, output: CapturedProcess.Output)
    /// Kills the program.
    let kill: @Sendable () -> Void
  }

  /// Starts `words[0]` with `input` as standard input, and keeps `limit` bytes of its output;
  /// `endsBeyondLimit` kills it if it writes more.
  var startCapturing:
    @Sendable (_ words: [String], _ input: [UInt8], _ limit: Int, _ endsBeyondLimit: Bool) async ->
      Result<Capture, SystemFailure> = { _, _, _, _ in .failure(SystemFailure(code: ENOENT)) }

  /// Starts real programs.
  static func system(environment: [String: String]) -> ProgramStarter {
    var starter = ProgramStarter { words, input in
      await threads.value {
        Result { () throws(SystemFailure) -> Running in
          let child = try ChildProcess(words, environment: environment, input: input)
          return Running(ending: { await child.ending() }, kill: { child.kill() })
        }
      }
    }
    starter.startCapturing = { words, input, limit, endsBeyondLimit in
      await threads.value {
        Result { () throws(SystemFailure) -> Capture in
          let child = try CapturedProcess(
            words, environment: environment, input: input, limit: limit,
            endsBeyondLimit: endsBeyondLimit)
          return Capture(report: { await child.report() }, kill: { child.kill() })
        }
      }
    }
    starter.startOnTerminal = { words, text, input, output in
      await threads.value {
        Result { () throws(SystemFailure) -> Borrower in
          let child = try ChildProcess(
            onTerminal: words, environment: environment, text: text, input: input, output: output)
          return Borrower(ending: { await child.ending(onStop: $0) }, send: { child.send($0) })
        }
      }
    }
    return starter
  }

  /// A program on a disk that does not respond blocks one thread for good.
  private static let threads = WorkerThreads(limit: 2)

  /// Starts a program without input and waits for its end.
  func run(_ words: [String]) async -> Result<ChildProcess.Ending, SystemFailure> {
    switch await start(words, []) {
    case .failure(let failure): .failure(failure)
    case .success(let program): .success(await program.ending())
    }
  }
}

extension Result<ChildProcess.Ending, SystemFailure> {
  /// The problem in one line; `nil` if the program was started and succeeded.
  var problem: String? {
    switch self {
    case .failure(let failure): "cannot be started: \(failure.message)"
    case .success(let ending): ending.problem
    }
  }
}

extension ChildProcess.Ending {
  /// The problem in one line; `nil` if the program succeeded.
  var problem: String? {
    switch self {
    case .status(0): nil
    case .status(let status): "ended with status \(status)"
    case .signal(let signal): "was ended by signal \(signal)"
    case .unknown: "ended, and the system does not say how"
    }
  }
}

/// The words of a command line, split as by a shell, but without its expansions and operators.
package enum ProgramWords {
  /// The words between blanks; quotation marks group them, a backslash quotes the next character.
  /// `nil` if a quotation mark is not closed, if a backslash is the last character, or if there is
  /// no program.
  ///
  /// - Complexity: O(n).
  package static func split(_ line: some StringProtocol) -> [String]? {
    let (words, missingEnd) = scan(line)
    return missingEnd != nil || words.isEmpty || words[0].isEmpty ? nil : words
  }

  /// A clause that names the missing end of a line that cannot be split; `nil` if it is complete.
  ///
  /// - Complexity: O(n).
  package static func missingEnd(of line: some StringProtocol) -> String? { scan(line).missingEnd }

  private static func scan(
    _ line: some StringProtocol
  ) -> (words: [String], missingEnd: String?) {
    var words: [String] = []
    var word: String?
    var quote: Character?
    // The text behind the open quotation mark.
    var quoted = ""
    var characters = line.makeIterator()
    while let character = characters.next() {
      if character == "\\", quote != "'" {
        guard let next = characters.next() else {
          return (words, "a character is missing behind the backslash")
        }
        word = (word ?? "") + String(next)
        quoted.append(next)
      } else if let open = quote {
        if character == open {
          quote = nil
        } else {
          word = (word ?? "") + String(character)
          quoted.append(character)
        }
      } else if character == "\"" || character == "'" {
        (quote, quoted) = (character, "")
        word = word ?? ""
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else {
      let behind = NearestNames.quoted(quoted, among: [])
      return (words, "a quotation mark is missing behind \(behind)")
    }
    if let word { words.append(word) }
    return (words, nil)
  }

  /// Why an address must not be inserted into the words, in one line; `nil` if it may.
  ///
  /// An address can contain shell syntax: `$(…)`, `;`, `&`. As a word of its own it is only an
  /// argument; within a text that a shell or another interpreter reads, it would be executed.
  ///
  /// - Parameter allowsOptions: whether the address may also be the value of an option, as in
  ///   `--app=%s`.
  package static func problem(of words: [String], allowsOptions: Bool = false) -> String? {
    let reason = #"it would run what a link says; safe is: sh -c 'prog "$1"' _ %s"#
    guard let program = words.first?.split(separator: "/").last else { return nil }
    if ["ssh", "rsh", "mosh"].contains(program) {
      return "\(program) has a shell read its words: it would run what a link says"
    }
    // Without `%s` the address comes last.
    let words = words.dropFirst().contains(where: containsPlaceholder) ? words : words + ["%s"]
    for (before, word) in zip(words, words.dropFirst()) where containsPlaceholder(word) {
      let isOption = word.hasPrefix("-") && word.hasSuffix("=%s") && word.count { $0 == "%" } == 1
      guard word == "%s" || allowsOptions && isOption else {
        return "%s is a word of its own, not part of '\(word)': \(reason)"
      }
      if expectsScript(before) { return "%s may not follow \(before): \(reason)" }
    }
    return nil
  }

  private static func containsPlaceholder(_ word: String) -> Bool {
    // `filled` appends a word if no word contains `%s`.
    filled(["", word], with: "").count == 2
  }

  /// Whether an option executes the next word: `-c`, `-lc`, `-e`, `--command`.
  private static func expectsScript(_ option: String) -> Bool {
    if ["--command", "--eval", "--execute"].contains(option) { return true }
    let letters = option.dropFirst()
    return option.hasPrefix("-") && (1...3).contains(letters.count)
      && letters.allSatisfy(\.isLetter) && (letters.hasSuffix("c") || letters.hasSuffix("e"))
  }

  /// The name of the program that the words start, without its folder.
  package static func name(of words: [String]) -> String {
    words.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
  }

  /// The words with `address` in place of `%s`, except in the first word, or appended if no word
  /// contains `%s`; `%%` is a percent sign.
  package static func filled(_ words: [String], with address: String) -> [String] {
    var isPlaced = false
    let filled = words.enumerated().map { index, word -> String in
      guard index > 0 else { return word }
      var result = ""
      var rest = Substring(word)
      while let percent = rest.firstIndex(of: "%") {
        result += rest[..<percent]
        let next = rest.index(after: percent)
        switch next < rest.endIndex ? rest[next] : nil {
        case "s":
          result += address
          isPlaced = true
        case "%": result += "%"
        case let other: result += "%" + (other.map { String($0) } ?? "")
        }
        rest = next < rest.endIndex ? rest[rest.index(after: next)...] : ""
      }
      return result + rest
    }
    return isPlaced ? filled : filled + [address]
  }
}

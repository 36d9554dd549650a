import System

/// Starts other programs; tests bring one that starts none.
struct ProgramStarter: Sendable {
  /// Waits until the program has ended.
  typealias Wait = @Sendable () async -> ChildProcess.Ending

  /// Starts `words[0]` with the other words as its arguments, and `input` to read.
  let start: @Sendable (_ words: [String], _ input: [UInt8]) async -> Result<Wait, SystemFailure>

  /// Starts them on this system.
  static func system(environment: [String: String]) -> ProgramStarter {
    ProgramStarter { words, input in
      await threads.value {
        do throws(SystemFailure) {
          let child = try ChildProcess(words, environment: environment, input: input)
          return .success({ await child.ending() })
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// A program on a disk that does not answer keeps one for good.
  private static let threads = WorkerThreads(limit: 2)
}

extension ChildProcess.Ending {
  /// What went wrong, for one line; nil where nothing did.
  var problem: String? {
    switch self {
    case .status(0): nil
    case .status(let status): "ended with status \(status)"
    case .signal(let signal): "was ended by signal \(signal)"
    case .unknown: "ended, and the system does not say how"
    }
  }
}

/// Words of a command line, as a shell divides them, without all else that a shell does.
enum ProgramWords {
  /// Words between blanks; quotation marks hold them together, a backslash takes the next character
  /// as it is. Nil where a quotation does not end, or there is no word.
  ///
  /// - Complexity: O(n).
  static func split(_ line: some StringProtocol) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = line.makeIterator()
    while let character = characters.next() {
      if character == "\\", quote != "'" {
        guard let next = characters.next() else { return nil }
        word = (word ?? "") + String(next)
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    return words.isEmpty || words[0].isEmpty ? nil : words
  }

  /// The words with `address` where `%s` stands, in the first word nowhere, or else behind them;
  /// `%%` is a percent sign.
  static func filled(_ words: [String], with address: String) -> [String] {
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

import System
import TextLayout

/// A command in words, as after `:` and in a file: its name, a number before or after it, and its
/// argument: `page-down`, `5 next`, `next 5`, `bind zt align-top`.
struct CommandWords {
  let count: Int?
  /// Empty if only a number was given.
  let name: String
  /// The text after the name.
  let argument: String

  /// `nil` for a blank line.
  init?(_ line: some StringProtocol) {
    let digits = line.drop { $0.isWhitespace }.prefix { $0.isASCII && $0.isNumber }
    count = digits.isEmpty ? nil : Self.count(digits)
    let words = line[digits.endIndex...].split(
      maxSplits: 1, whereSeparator: \.isWhitespace)
    guard !digits.isEmpty || !words.isEmpty else { return nil }
    name = words.first.map { String($0) } ?? ""
    argument = words.dropFirst().first.map { String($0.trimmed(where: \.isWhitespace)) } ?? ""
  }

  /// The value of `digits`, at most the largest count; `nil` if they are not digits.
  static func count(_ digits: some StringProtocol) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return min(Int(digits) ?? .max, KeyReader.maximumCount)
  }
}

extension CommandWords {
  /// The call that the words describe, of a command of `tables`.
  @MainActor func call(in tables: [CommandTable]) throws(CommandRefusal) -> CommandCall {
    guard !name.isEmpty else {
      throw CommandRefusal(reason: "a number goes with a command, as in 5 next")
    }
    guard let (command, position) = KeyReader.command(named: name, in: tables[...]) else {
      throw .unknownCommand(name, in: tables)
    }
    var call = CommandCall(command: command, count: count, position: position)
    if command.argument != nil {
      call.argument = argument
    } else if !argument.isEmpty {
      guard count == nil, let count = Self.count(argument) else {
        let argument = NearestNames.quoted(argument, among: [])
        throw CommandRefusal(reason: "\(command.name) is followed by a number at most: \(argument)")
      }
      call.count = count
    }
    call.isCounted = call.count != nil
    guard call.count != 0 else { throw CommandRefusal(reason: "counts begin with 1") }
    return call
  }
}

/// Suggestions for a misspelled name.
package enum NearestNames {
  /// The names that begin with `word`, else those with the least edit distance; three at most.
  ///
  /// - Parameter floor: the edit distance allowed even for a short word; 1 by default.
  /// - Complexity: O(n) in the names, for words of any length.
  package static func of(_ word: String, among names: [String], floor: Int = 1) -> [String] {
    let word = String(word.prefix(40))
    let beginning = names.filter { $0.hasPrefix(word) }
    guard beginning.isEmpty else { return Array(beginning.prefix(3)) }
    let distances = names.map { distance($0, word) }
    guard let least = distances.min(), least <= max(floor, word.count / 2) else { return [] }
    return zip(names, distances).filter { $0.1 == least }.prefix(3).map(\.0)
  }

  /// `word` quoted in one line, followed by the nearest names.
  static func quoted(_ word: String, among names: [String]) -> String {
    let quoted = "'\(TextMetrics.current.truncated(Sanitizer.line(word), toWidth: 40))'"
    let nearest = of(word, among: names)
    return nearest.isEmpty ? quoted : "\(quoted); nearest: \(nearest.joined(separator: ", "))"
  }

  /// The edit distance: characters inserted, deleted, replaced or swapped with their neighbour.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var before: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var least = min(row[j] + (a[i] == b[j] ? 0 : 1), next[j] + 1, row[j + 1] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}

import HTTP
import TextLayout

/// An error in a query, which names the wrong word.
package struct PostQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message, on one line.
  package let description: String

  init(_ description: String) { self.description = Sanitizer.line(description) }
}

/// Parses queries. The grammar:
///
///     query  = group { "or" group }
///     group  = term { term }
///     term   = [ "-" ] ( text | field ":" text )
///     text   = word | '"' any characters '"'
struct PostQueryParser {
  /// The maximum number of terms, each of which is evaluated for every post.
  static let maximumTerms = 64
  /// The maximum number of characters.
  static let maximumLength = 1_000

  private struct Word {
    var isNegated = false
    /// The text before the colon; `nil` if there is none.
    var field: String?
    var text = ""
    var isQuoted = false
    /// The word as it was written.
    var source = ""
  }

  static func query(_ text: String) throws(PostQueryError) -> PostQuery {
    guard text.utf8.count <= maximumLength * 4, text.count <= maximumLength else {
      throw PostQueryError("a query has \(maximumLength) characters at most")
    }
    var groups: [[PostQuery.Term]] = [[]]
    var count = 0
    for word in try words(Sanitizer.text(text)) {
      if !word.isQuoted, word.field == nil, !word.isNegated, word.text.lowercased() == "or" {
        guard groups.last?.isEmpty == false else {
          throw PostQueryError("nothing stands before '\(word.source)'; \"or\" looks for the word")
        }
        groups.append([])
        continue
      }
      count += 1
      guard count <= maximumTerms else {
        throw PostQueryError("a query has \(maximumTerms) words at most")
      }
      let condition = try condition(word)
      groups[groups.count - 1].append(
        PostQuery.Term(condition: condition, isNegated: word.isNegated))
    }
    guard groups.last?.isEmpty == false else {
      throw PostQueryError(groups.count == 1 ? "the query is empty" : "nothing follows 'or'")
    }
    return PostQuery(text: text, groups: groups)
  }

  // MARK: Words

  private static func words(_ text: String) throws(PostQueryError) -> [Word] {
    var words: [Word] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard !rest.isEmpty else { return words }
      words.append(try word(&rest))
    }
  }

  private static func word(_ rest: inout Substring) throws(PostQueryError) -> Word {
    let start = rest
    var word = Word()
    if rest.first == "-" {
      word.isNegated = true
      rest.removeFirst()
    }
    word.text = try value(&rest, &word)
    if !word.isQuoted, let colon = word.text.firstIndex(of: ":"), colon > word.text.startIndex,
      word.text[..<colon].allSatisfy({ $0.isASCII && $0.isLetter }),
      // An address is a word.
      !word.text[colon...].hasPrefix("://")
    {
      let field = word.text[..<colon]
      word.field = field.lowercased()
      word.text = String(word.text[word.text.index(after: colon)...])
      if word.text.isEmpty, rest.first == "\"" { word.text = try value(&rest, &word) }
    }
    word.source = String(start[..<rest.startIndex])
    if word.isNegated, word.text.isEmpty, word.field == nil, !word.isQuoted {
      throw PostQueryError("'-' stands before a word, as in -storm")
    }
    return word
  }

  /// A word, or the text in quotation marks.
  private static func value(
    _ rest: inout Substring, _ word: inout Word
  ) throws(PostQueryError) -> String {
    guard rest.first == "\"" else {
      let end = rest.firstIndex { $0.isWhitespace || $0 == "\"" } ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(rest[..<end])
    }
    let inside = rest.dropFirst()
    guard let end = inside.firstIndex(of: "\"") else {
      throw PostQueryError("a quotation mark is missing behind \(quoted(inside))")
    }
    word.isQuoted = true
    rest = inside[inside.index(after: end)...]
    return String(inside[..<end])
  }

  private static func quoted(_ text: some StringProtocol) -> String {
    "'\(TextMetrics.current.truncated(Sanitizer.line(String(text)), toWidth: 40))'"
  }

  // MARK: Conditions

  private static let fields = ["author", "tag", "has", "is", "feed", "before", "after", "since"]

  private static func condition(_ word: Word) throws(PostQueryError) -> PostQuery.Condition {
    guard let field = word.field else { return .text(try needle(word.text, in: word)) }
    guard fields.contains(field) else {
      let names = fields.map { $0 + ":" }.joined(separator: " ")
      throw PostQueryError(
        "\(quoted(field + ":")) is none of \(names); in quotation marks it is a word")
    }
    guard !word.text.isEmpty else {
      throw PostQueryError("\(quoted(word.source)) lacks what it is about, as in \(example(field))")
    }
    switch field {
    // Lowercase, so that the case of names and tags is ignored.
    case "author": return .author(try needle(word.text.drop { $0 == "@" }.lowercased(), in: word))
    case "tag": return .tag(try needle(word.text.drop { $0 == "#" }.lowercased(), in: word))
    case "has":
      switch word.text.lowercased() {
      case "picture", "pictures", "image": return .hasPicture
      case "link", "links": return .hasLink
      default:
        throw PostQueryError("\(quoted(word.source)): it is has:picture or has:link")
      }
    case "is":
      switch word.text.lowercased() {
      case "unread": return .marked(.unread, isSet: true)
      case "read": return .marked(.unread, isSet: false)
      case "saved": return .marked(.saved, isSet: true)
      case "new": return .marked(.new, isSet: true)
      default:
        throw PostQueryError(
          "\(quoted(word.source)): it is is:unread, is:read, is:saved or is:new")
      }
    case "feed": return .feed(try needle(word.text.lowercased(), in: word))
    case "before": return .before(try period(word).lowerBound)
    case "since": return .since(try period(word).lowerBound)
    default: return .since(try period(word).upperBound)
    }
  }

  private static func example(_ field: String) -> String {
    switch field {
    case "has": "has:picture"
    case "author": "author:marit"
    case "tag": "tag:harbour"
    case "is": "is:unread"
    case "feed": "feed:tides"
    default: "\(field):2024-05-31"
    }
  }

  private static func needle(
    _ text: String, in word: Word
  ) throws(PostQueryError) -> TextNeedle {
    guard let needle = TextNeedle(text) else {
      throw PostQueryError("there is nothing to look for in \(quoted(word.source))")
    }
    return needle
  }

  /// The seconds since 1970 of a year, a month or a day, in UTC.
  private static func period(_ word: Word) throws(PostQueryError) -> Range<Double> {
    let parts = word.text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 4 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    if numbers.count == parts.count, (1...3).contains(numbers.count), numbers[0] >= 1_000 {
      let month = numbers.count > 1 ? numbers[1] : 1
      let day = numbers.count > 2 ? numbers[2] : 1
      if let start = seconds(numbers[0], month, day) {
        let end =
          switch numbers.count {
          case 1: seconds(numbers[0] + 1, 1, 1)
          case 2:
            month == 12 ? seconds(numbers[0] + 1, 1, 1) : seconds(numbers[0], month + 1, 1)
          default: start + 86_400
          }
        if let end { return start..<end }
      }
    }
    throw PostQueryError(
      "\(quoted(word.source)) is no date: it is a year, a month or a day, as in 2024-05-31")
  }

  private static func seconds(_ year: Int, _ month: Int, _ day: Int) -> Double? {
    var date = CivilTime(seconds: 0)
    (date.year, date.month, date.day) = (year, month, day)
    return date.seconds
  }
}

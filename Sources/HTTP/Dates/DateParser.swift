/// Reads the dates of feeds and response heads: RFC 3339, RFC 822, the forms of RFC 9110, and
/// common deviations from them.
///
/// 1. Parentheses and brackets hold a comment, which gives the zone if nothing else does.
/// 2. A text that starts with a year is ISO 8601, with or without separators (`ISODate`).
/// 3. Any other text is read word by word: a month's name in one of many languages, a time with
///    colons, a zone; of the remaining numbers, the first that can be a day is the day and the
///    other the year.
/// 4. An unknown or ambiguous zone counts as none: the date is read as UTC, and the result says so.
///    A text with a field out of range is not a date.
/// 5. Dates of the years 0 and 1 are refused: 1 January of the year 1 is the zero value of several
///    languages, and feeds write it for a missing date.
package enum DateParser {
  /// A point in time, or a local time in an unknown zone.
  package struct Moment: Hashable {
    /// Seconds since 1970; as if in UTC if the zone is unknown.
    package var seconds: Double
    /// Whether the text names its zone.
    package var hasZone: Bool
  }

  /// Seconds since 1970; `nil` if `text` is not a date. Without a zone it is read as UTC.
  ///
  /// - Complexity: O(n) in the first 200 bytes of `text`.
  package static func seconds(_ text: String) -> Double? { moment(text)?.seconds }

  /// The moment that `text` names; `nil` if it is not a date.
  ///
  /// - Complexity: O(n) in the first 200 bytes of `text`.
  package static func moment(_ text: String) -> Moment? {
    var text = text
    if let seconds = text.withUTF8({ plainRFC3339Seconds($0[...]) }) {
      return Moment(seconds: seconds, hasZone: true)
    }
    if let moment = text.withUTF8({ plainRFC822Moment($0) }) { return moment }
    let (bytes, comments) = splittingComments(Array(text.utf8.prefix(200)))
    let words = DateWords(bytes, comments: comments)
    return ISODate.moment(words) ?? parsedFromWords(words)
  }

  /// Seconds since 1970 of a date like `2024-03-09T08:05:00Z`, the form in most sources; `nil` for
  /// all others.
  ///
  /// - Complexity: O(1).
  package static func plainRFC3339Seconds(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    let bytes = UnsafeBufferPointer(rebasing: text)
    guard bytes.count == 20, bytes[4] == DateWords.dash, bytes[7] == DateWords.dash,
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    var beyond: UInt8 = 0
    let time = CivilTime(
      year: number(bytes, 0, 4, &beyond), month: number(bytes, 5, 2, &beyond),
      day: number(bytes, 8, 2, &beyond), hour: number(bytes, 11, 2, &beyond),
      minute: number(bytes, 14, 2, &beyond), second: Double(number(bytes, 17, 2, &beyond)))
    return beyond == 0 && time.year >= firstYear ? time.seconds : nil
  }

  /// The number written in `count` digits from `first` on. A byte that is not a digit sets
  /// `beyond`.
  @inline(__always)
  private static func number(
    _ bytes: UnsafeBufferPointer<UInt8>, _ first: Int, _ count: Int, _ beyond: inout UInt8
  ) -> Int {
    var value = 0
    for byte in bytes[first..<first + count] {
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 { beyond = digit }
      value = value * 10 + Int(digit)
    }
    return value
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { Array($0.utf8) }
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }

  /// The moment of a date like `Sat, 09 Mar 2024 08:05:00 GMT`, or with a zone like `+0100`, the
  /// form in most RSS feeds; `nil` for all others.
  ///
  /// - Complexity: O(1).
  private static func plainRFC822Moment(_ bytes: UnsafeBufferPointer<UInt8>) -> Moment? {
    guard bytes.count == 29 || bytes.count == 31, bytes[3] == UInt8(ascii: ","),
      [4, 7, 11, 16, 25].allSatisfy({ bytes[$0] == 0x20 }), bytes[19] == UInt8(ascii: ":"),
      bytes[22] == UInt8(ascii: ":"), days.contains(where: { bytes[..<3].elementsEqual($0) }),
      let month = months.firstIndex(where: { bytes[8..<11].elementsEqual($0) })
    else { return nil }
    var beyond: UInt8 = 0
    var offset = 0
    if bytes.count == 29 {
      guard bytes[26...].elementsEqual("GMT".utf8) else { return nil }
    } else {
      let hours = number(bytes, 27, 2, &beyond)
      let minutes = number(bytes, 29, 2, &beyond)
      offset = hours * 3_600 + minutes * 60
      switch bytes[26] {
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "-"): offset = -offset
      default: return nil
      }
      guard hours <= 12, minutes < 60 else { return nil }
    }
    let time = CivilTime(
      year: number(bytes, 12, 4, &beyond), month: month + 1, day: number(bytes, 5, 2, &beyond),
      hour: number(bytes, 17, 2, &beyond), minute: number(bytes, 20, 2, &beyond),
      second: Double(number(bytes, 23, 2, &beyond)))
    return beyond == 0 ? moment(of: time, offset: offset) : nil
  }

  private static let firstYear = 2

  /// The moment of a local time; `nil` if its year is too early, or if the offset leads to such a
  /// year or out of the years with four digits.
  static func moment(of local: CivilTime, offset: Int?) -> Moment? {
    guard local.year >= firstYear,
      let seconds = local.seconds.map({ $0 - Double(offset ?? 0) }),
      CivilTime.writable.contains(seconds),
      local.year > firstYear || CivilTime(seconds: seconds).year >= firstYear
    else { return nil }
    return Moment(seconds: seconds, hasZone: offset != nil)
  }

  private static func splittingComments(_ bytes: [UInt8]) -> (text: [UInt8], comments: [[UInt8]]) {
    guard bytes.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) else {
      return (bytes, [])
    }
    var text: [UInt8] = []
    var comments: [[UInt8]] = []
    var depth = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["):
        depth += 1
        if depth == 1 { comments.append([]) }
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        if depth == 1 { text.append(0x20) }
        depth = max(0, depth - 1)
      default:
        if depth == 0 { text.append(byte) } else { comments[comments.count - 1].append(byte) }
      }
    }
    return (text, comments)
  }

  private static func parsedFromWords(_ words: DateWords) -> Moment? {
    var month: Int?
    var numbers: [(value: Int, digits: Int)] = []
    var result = CivilTime(year: 0, month: 1, day: 1)
    var hasTime = false
    var zone = DateWords.Zone.none
    var isAfternoon: Bool?
    var rest = words.all.flatMap(DateWords.splitDay)[...]
    while let word = rest.popFirst() {
      if !hasTime, let clock = DateWords.clock(word) {
        guard DateWords.setTime(clock.time, in: &result) else { return nil }
        hasTime = true
        if !clock.rest.isEmpty { rest = [clock.rest] + rest }
      } else if numbers.count < 2, let value = DateWords.number(word) {
        numbers.append((value, word.count))
      } else {
        let name = String(decoding: word, as: UTF8.self)
        if let afternoon = DateWords.isAfternoon(name) {
          isAfternoon = afternoon
        } else if !hasTime || month == nil, ZoneNames.offset(name) == nil,
          let found = MonthNames.number(name)
        {
          // "mar. 10 janv.": a day's name may look like a month's; the month follows it.
          month = found
        } else if hasTime || numbers.count == 2, zone == .none || zone == .unknown,
          case let found = DateWords.zone(word), found != .none
        {
          guard found != .impossible else { return nil }
          zone = found
        }
      }
    }
    if month == nil { return numeric(words) }
    guard let month, numbers.count == 2 else { return nil }
    let dayFirst = numbers[0].value <= 31 && numbers[0].digits <= 2
    let (day, year) = dayFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    result.day = day.value
    result.month = month
    result.year = DateWords.year(year)
    DateWords.applyMeridiem(isAfternoon, in: &result)
    return moment(of: result, offset: words.offset(zone))
  }

  /// `1/10/2020` in American order, `10.1.2020` in European order; but in the other order if only
  /// that gives a date or fits the preceding day of the week.
  private static func numeric(_ words: DateWords) -> Moment? {
    guard let place = words.all.firstIndex(where: { $0.contains(where: DateWords.isDigit) }) else {
      return nil
    }
    let first = words.all[place]
    let weekday = words.all[..<place].lazy.compactMap(DateWords.weekday).first
    for separator in ["/", ".", "-"].map({ UInt8(ascii: $0) }) {
      let fields = first.split(separator: separator)
      guard fields.count == 3 else { continue }
      let numbers = fields.compactMap { DateWords.number($0) }
      guard numbers.count == 3, fields[0].count <= 2, fields[1].count <= 2,
        fields[2].count == 2 || fields[2].count == 4
      else { return nil }
      let year = DateWords.year((numbers[2], fields[2].count))
      let monthFirst = CivilTime(year: year, month: numbers[0], day: numbers[1])
      let dayFirst = CivilTime(year: year, month: numbers[1], day: numbers[0])
      let byWeekday = weekday.flatMap { day -> Bool? in
        monthFirst.weekday == day ? true : dayFirst.weekday == day ? false : nil
      }
      let isMonthFirst =
        byWeekday ?? (numbers[1] > 12 || separator == UInt8(ascii: "/") && numbers[0] <= 12)
      var result = isMonthFirst ? monthFirst : dayFirst
      guard let zone = DateWords.readTime(words.all[(place + 1)...], in: &result) else {
        return nil
      }
      return moment(of: result, offset: words.offset(zone))
    }
    return nil
  }
}

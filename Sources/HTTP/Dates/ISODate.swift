/// Dates that begin with their year: ISO 8601 with or without separators, and similar forms.
enum ISODate {
  /// `nil` if the first word is not such a date.
  static func moment(_ words: DateWords) -> DateParser.Moment? {
    guard let first = words.all.first, let lead = first.first, DateWords.isDigit(lead) else {
      return nil
    }
    let mark = first.firstIndex { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") }
    let date = first[..<(mark ?? first.endIndex)]
    if words.all.count == 1, mark == nil, let seconds = timestamp(date) {
      return DateParser.Moment(seconds: seconds, hasZone: true)
    }
    if mark == nil, let moment = compact(date, words) { return moment }
    var rest = words.all.dropFirst()
    guard var result = mark == nil ? day(date, continuedIn: &rest) : day(date) else { return nil }
    if let mark, mark + 1 < first.endIndex { rest = [first[(mark + 1)...]] + rest }
    guard let zone = DateWords.readTime(rest, in: &result) else { return nil }
    return DateParser.moment(of: result, offset: words.offset(zone))
  }

  /// Ten digits are seconds since 1970, thirteen are milliseconds.
  private static func timestamp(_ word: DateWords.Word) -> Double? {
    guard word.count == 10 || word.count == 13, word.allSatisfy(DateWords.isDigit) else {
      return nil
    }
    let value = word.reduce(0.0) { $0 * 10 + Double($1 - 48) }
    return word.count == 10 ? value : value / 1_000
  }

  /// `20200110143300Z`.
  private static func compact(
    _ word: DateWords.Word, _ words: DateWords
  ) -> DateParser.Moment? {
    let digits = word.prefix(while: DateWords.isDigit)
    guard digits.count == 14 || digits.count == 12, var result = day(digits.prefix(8)),
      DateWords.setTime(digits.dropFirst(8), in: &result)
    else { return nil }
    let own = DateWords.zone(word[digits.endIndex...])
    let zone = own == .none ? words.all.dropFirst().first.map(DateWords.zone) ?? own : own
    return zone == .impossible ? nil : DateParser.moment(of: result, offset: words.offset(zone))
  }

  /// Also reads `2020. 01. 10.` and `2020 1 10`, which span several words.
  ///
  /// - Returns: `nil` if words other than a month and a day follow a year: if only the year were
  ///   read, they would be taken for a time.
  private static func day(
    _ word: DateWords.Word, continuedIn rest: inout ArraySlice<DateWords.Word>
  ) -> CivilTime? {
    let isSeparator = { (byte: UInt8) in "-/.".utf8.contains(byte) }
    let fields = word.split(whereSeparator: isSeparator)
    guard fields.first?.count == 4, fields.count < 3, !rest.isEmpty,
      fields.count == 1 || word.last.map(isSeparator) == true
    else { return day(word) }
    let further = rest.prefix(3 - fields.count).map { $0.drop(while: isSeparator) }
      .prefix { field in
        let number = field.prefix(while: DateWords.isDigit)
        return (1...2).contains(number.count)
          && field[number.endIndex...].allSatisfy(isSeparator)
      }
    guard fields.count + further.count == 3 else { return nil }
    rest = rest.dropFirst(further.count)
    let joined = (fields + further).map { Array($0.prefix(while: DateWords.isDigit)) }
      .joined(separator: [DateWords.dash])
    return day(Array(joined)[...])
  }

  /// `2020-01-10`, `2020/1/10`, `2020.1.10`, `20200110`, `2020-01`, `2020-010`, `2020-W02-5`,
  /// `2020`.
  private static func day(_ word: DateWords.Word) -> CivilTime? {
    let digits = word.prefix(while: DateWords.isDigit)
    guard digits.count >= 4, let year = DateWords.number(digits.prefix(4)) else { return nil }
    let rest = word[digits.endIndex...].drop { "-/.".utf8.contains($0) }
    if digits.count == 4, rest.first == UInt8(ascii: "W") || rest.first == UInt8(ascii: "w") {
      return week(rest.dropFirst().filter { $0 != DateWords.dash }[...], of: year)
    }
    guard digits.count == 4 else {
      guard rest.isEmpty else { return nil }
      let inner = digits.dropFirst(4)
      if digits.count == 7 { return ordinal(inner, of: year) }
      guard digits.count == 8, let month = DateWords.number(inner.prefix(2)),
        let day = DateWords.number(inner.dropFirst(2))
      else { return nil }
      return CivilTime(year: year, month: month, day: day)
    }
    let fields = rest.split { "-/.".utf8.contains($0) }
    let numbers = fields.compactMap { DateWords.number($0) }
    guard numbers.count == fields.count else { return nil }
    switch numbers.count {
    case 0: return rest.isEmpty ? CivilTime(year: year, month: 1, day: 1) : nil
    case 1 where fields[0].count == 3: return ordinal(fields[0], of: year)
    case 1: return CivilTime(year: year, month: numbers[0], day: 1)
    case 2: return CivilTime(year: year, month: numbers[0], day: numbers[1])
    default: return nil
    }
  }

  /// A day of the year, from 1.
  private static func ordinal(_ digits: DateWords.Word, of year: Int) -> CivilTime? {
    guard let number = DateWords.number(digits), (1...366).contains(number) else { return nil }
    return day(number - 1, after: CivilTime(year: year, month: 1, day: 1))
  }

  /// `025` is day 5 of week 2; without a day, the first of the week. Week 1 contains 4 January.
  private static func week(_ digits: DateWords.Word, of year: Int) -> CivilTime? {
    guard let week = DateWords.number(digits.prefix(2)), digits.count >= 2, digits.count <= 3,
      (1...53).contains(week)
    else { return nil }
    let weekday = digits.count == 3 ? DateWords.number(digits.suffix(1)) ?? 0 : 1
    guard (1...7).contains(weekday),
      let fourth = CivilTime(year: year, month: 1, day: 4).seconds
    else { return nil }
    // 1970 began on a Thursday.
    let days = Int(fourth / 86_400)
    let monday = days - ((days + 3) % 7 + 7) % 7
    let first = CivilTime(seconds: Double(monday) * 86_400)
    return day((week - 1) * 7 + weekday - 1, after: first)
  }

  private static func day(_ days: Int, after start: CivilTime) -> CivilTime? {
    start.seconds.map { CivilTime(seconds: $0 + Double(days) * 86_400) }
  }
}

/// A date and time of day of the proleptic Gregorian calendar, UTC.
package struct CivilTime: Hashable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour = 0
  package var minute = 0
  package var second = 0.0

  /// Years that RFC 3339 can express, and the seconds since 1970 of their beginning and end.
  private static let years = 0...9_999
  package static let writable = -62_167_219_200.0..<253_402_300_800.0

  /// Days since 1970-01-01. After H. Hinnant, "chrono-compatible low-level date algorithms",
  /// `days_from_civil`.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Seconds since 1970; `nil` if a field is out of range. Second 60 is second 0 of the next
  /// minute, and 24:00 is 0:00 of the next day; at the end of the last year both are out of range.
  package var seconds: Double? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard Self.years.contains(year), (1...12).contains(month),
      (1...lengths[month - 1]).contains(day),
      (0..<60).contains(minute), (0..<61).contains(second),
      (0..<24).contains(hour) || (hour == 24 && minute == 0 && second == 0)
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = Double(days * 86_400 + hour * 3_600 + minute * 60) + second
    return Self.writable.contains(seconds) ? seconds : nil
  }

  /// The day of the week, 0 for Sunday; `nil` if a field is out of range.
  package var weekday: Int? {
    // 1970 began on a Thursday.
    seconds.map { ((Int(($0 / 86_400).rounded(.down)) + 4) % 7 + 7) % 7 }
  }
}

extension CivilTime {
  /// The inverse of ``seconds``, after `civil_from_days` of the same source. Times more than 6e12
  /// seconds from 1970, about 190,000 years, are clamped.
  package init(seconds: Double) {
    let bounded = seconds.isFinite ? min(max(seconds, -6e12), 6e12) : 0
    let whole = Int(bounded.rounded(.down))
    let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
    let time = whole - days * 86_400
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = time / 3_600
    minute = time / 60 % 60
    // The fraction of a time just before a full second would round up to that second.
    let second = time % 60
    self.second = min(
      Double(second) + (bounded - Double(whole)), Double(second + 1).nextDown)
  }

  /// `"2024-03-09T08:05:00Z"`, with milliseconds if there are any.
  package var rfc3339: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(24)
    if Self.years.contains(year) {
      Self.append(year, 4, to: &digits)
    } else {
      digits += String(year).utf8
    }
    for (separator, number) in [
      ("-" as UnicodeScalar, month), ("-", day), ("T", hour), (":", minute),
    ] {
      digits.append(UInt8(ascii: separator))
      Self.append(number, 2, to: &digits)
    }
    let whole = Int(second)
    digits.append(UInt8(ascii: ":"))
    Self.append(whole, 2, to: &digits)
    let milliseconds = min(999, Int(((second - Double(whole)) * 1_000).rounded()))
    if milliseconds > 0 {
      digits.append(UInt8(ascii: "."))
      Self.append(milliseconds, 3, to: &digits)
    }
    digits.append(UInt8(ascii: "Z"))
    return String(decoding: digits, as: UTF8.self)
  }

  /// The last `width` digits of a number that is not negative.
  private static func append(_ number: Int, _ width: Int, to digits: inout [UInt8]) {
    var unit = 1
    for _ in 1..<width { unit *= 10 }
    while unit > 0 {
      digits.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
      unit /= 10
    }
  }
}

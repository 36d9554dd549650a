/// Reads the dates of feeds and heads: RFC 3339, RFC 822, the forms of RFC 9110 and what is written in
/// their place.
///
/// 1. A text that starts with a four-digit year and a dash is ISO 8601: `2024-03-09`, then optionally
///    a time after `T` or a space, a fraction of a second and an offset.
/// 2. Any other is read word by word: a month's name, a time with colons, a zone; of the numbers left,
///    the first that can be a day is the day and the other the year.
/// 3. A zone that is not known is UTC, as RFC 2822 has it. A field out of its range: no date.
package enum DateParser {
  /// Seconds since 1970, or nil where `text` is no date.
  ///
  /// - Complexity: O(n) in the first 100 bytes of `text`.
  package static func seconds(_ text: String) -> Double? {
    var text = text
    if let seconds = text.withUTF8({ plainSeconds($0[...]) }) { return seconds }
    let bytes = Array(text.utf8.prefix(100))
    let words = bytes.split { $0 <= 32 || $0 == UInt8(ascii: ",") }
    guard let first = words.first else { return nil }
    if first.count >= 7, first.prefix(4).allSatisfy(isDigit), first[first.startIndex + 4] == dash {
      return iso8601(words.prefix(3))
    }
    return worded(words)
  }

  /// Seconds since 1970 of `2024-03-09T08:05:00Z`, the way most sources write dates; nil for all else.
  ///
  /// - Complexity: O(1).
  package static func plainSeconds(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    let bytes = UnsafeBufferPointer(rebasing: text)
    guard bytes.count == 20, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    var isPlain = true
    func digits(_ range: Range<Int>) -> Int {
      var value = 0
      for index in range {
        isPlain = isPlain && isDigit(bytes[index])
        value = value * 10 + Int(bytes[index] &- 48)
      }
      return value
    }
    let time = CivilTime(
      year: digits(0..<4), month: digits(5..<7), day: digits(8..<10), hour: digits(11..<13),
      minute: digits(14..<16), second: Double(digits(17..<19)))
    return isPlain ? time.seconds : nil
  }

  /// The zone may lead out of the years that can be written with four digits: no date.
  private static func seconds(of local: CivilTime, offset: Int) -> Double? {
    guard let seconds = local.seconds.map({ $0 - Double(offset) }) else { return nil }
    return CivilTime.writable.contains(seconds) ? seconds : nil
  }

  private static let dash = UInt8(ascii: "-")

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static func iso8601(_ words: ArraySlice<ArraySlice<UInt8>>) -> Double? {
    var parts = words.flatMap { $0.split { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") } }
    guard !parts.isEmpty else { return nil }
    let fields = parts.removeFirst().split(separator: dash).map { $0[...] }
    guard (2...3).contains(fields.count), let year = number(fields[0]),
      let month = number(fields[1]), let day = fields.count == 3 ? number(fields[2]) : 1
    else { return nil }
    var result = CivilTime(year: year, month: month, day: day)
    var offset = 0
    if !parts.isEmpty {
      var clock = parts.removeFirst()
      let zone = clock.firstIndex { !isDigit($0) && $0 != 58 && $0 != 46 && $0 != 44 }
      if let zone {
        parts.insert(clock[zone...], at: 0)
        clock = clock[..<zone]
      }
      guard setTime(clock, in: &result) else { return nil }
      if let zone = parts.first {
        guard let seconds = zoneOffset(zone) else { return nil }
        offset = seconds
      }
    }
    return seconds(of: result, offset: offset)
  }

  /// Sets hour, minute and second from `12:05`, `12:05:07` or `12:05:07.25`.
  private static func setTime(_ text: ArraySlice<UInt8>, in result: inout CivilTime) -> Bool {
    let fields = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count), let hour = number(fields[0]),
      let minute = number(fields[1])
    else { return false }
    result.hour = hour
    result.minute = minute
    guard fields.count == 3 else { return true }
    let parts = fields[2].split { $0 == 46 || $0 == 44 }
    guard let whole = parts.first, let second = number(whole) else { return false }
    result.second = Double(second)
    if parts.count > 1, let digits = number(parts[1].prefix(9)) {
      var scale = 1.0
      for _ in parts[1].prefix(9) { scale *= 10 }
      result.second += Double(digits) / scale
    }
    return true
  }

  private static func worded(_ words: [ArraySlice<UInt8>]) -> Double? {
    var month: Int?
    var numbers: [(value: Int, digits: Int)] = []
    var result = CivilTime(year: 0, month: 1, day: 1)
    var hasTime = false
    var offset = 0
    var isAfternoon: Bool?
    for word in words.flatMap(splitDashed) {
      if word.contains(UInt8(ascii: ":")), !hasTime, let first = word.first, isDigit(first) {
        guard setTime(word, in: &result) else { return nil }
        hasTime = true
      } else if let value = number(word), numbers.count < 2 {
        numbers.append((value, word.count))
      } else if let found = monthNumber(word), month == nil {
        month = found
      } else {
        let name = String(decoding: word, as: UTF8.self).uppercased()
        if name == "AM" || name == "PM" {
          isAfternoon = name == "PM"
        } else if hasTime || numbers.count == 2, let seconds = zoneOffset(word) {
          offset = seconds
        }
      }
    }
    guard let month, numbers.count == 2 else { return nil }
    let dayFirst = numbers[0].value <= 31 && numbers[0].digits <= 2
    let (day, year) = dayFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    result.day = day.value
    result.month = month
    result.year = year.digits > 2 ? year.value : year.value + (year.value < 50 ? 2000 : 1900)
    if let isAfternoon, (1...12).contains(result.hour) {
      result.hour = result.hour % 12 + (isAfternoon ? 12 : 0)
    }
    return seconds(of: result, offset: offset)
  }

  /// `09-Mar-2024` as three words; a zone such as `-0800` stays one.
  private static func splitDashed(_ word: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    guard let first = word.first, isDigit(first), !word.contains(UInt8(ascii: ":")) else {
      return [word]
    }
    return word.split(separator: dash)
  }

  private static func monthNumber(_ word: ArraySlice<UInt8>) -> Int? {
    guard word.count >= 3 else { return nil }
    let start = String(decoding: word.prefix(3), as: UTF8.self).lowercased()
    return CivilTime.monthNames.firstIndex { $0.lowercased() == start }.map { $0 + 1 }
  }

  /// Seconds east of UTC of `Z`, `+0100`, `-08:00`, `GMT`, `EST` and their like; 0 for a name that is
  /// not known, nil for what is neither a name nor an offset.
  private static func zoneOffset(_ zone: ArraySlice<UInt8>) -> Int? {
    guard let first = zone.first else { return 0 }
    if first == UInt8(ascii: "+") || first == dash {
      let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
      guard let value = number(digits[...]), digits.count == 4 || digits.count <= 2 else {
        return nil
      }
      let minutes = digits.count == 4 ? value / 100 * 60 + value % 100 : value * 60
      guard minutes <= 24 * 60 else { return nil }
      return (first == dash ? -1 : 1) * minutes * 60
    }
    guard !isDigit(first) else { return nil }
    let hours = [
      "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
      "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "BST": 1, "MSK": 3, "JST": 9,
      "KST": 9, "HKT": 8, "SGT": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
    ]
    return (hours[String(decoding: zone, as: UTF8.self).uppercased()] ?? 0) * 3_600
  }
}

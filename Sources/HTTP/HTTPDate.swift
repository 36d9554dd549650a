/// Dates as headers write them, read without a formatter.
enum HTTPDate {
  /// Seconds since 1970 of `"Sun, 06 Nov 1994 08:49:37 GMT"`, of the two older forms (RFC 9110, 5.6.7)
  /// and of `"1994-11-06T08:49:37.5Z"`; nil of anything else. All of them are in UTC.
  static func seconds(_ text: String) -> Double? {
    let isInternet = text.utf8.first.map { $0 < UInt8(ascii: "A") } ?? false
    return isInternet ? internetSeconds(text) : mailSeconds(text)
  }

  private static func internetSeconds(_ text: String) -> Double? {
    let parts = text.split(whereSeparator: { "-T:.Z".contains($0) })
    let numbers = parts.prefix(6).compactMap { Int($0) }
    guard numbers.count == 6, text.hasSuffix("Z") else { return nil }
    return seconds(
      year: numbers[0], month: numbers[1], day: numbers[2], time: Array(numbers[3...]))
  }

  private static func mailSeconds(_ text: String) -> Double? {
    var words = text.split(whereSeparator: { " ,-".contains($0) })
    guard words.count >= 5 else { return nil }
    words.removeFirst()
    // "Nov  6 08:49:37 1994" as C prints it, else day, month, year, time.
    if Int(words[0]) == nil { words = [words[1], words[0], words[3], words[2]] }
    let months = "janfebmaraprmayjunjulaugsepoctnovdec"
    let name = words[1].prefix(3).lowercased()
    let month = (0..<12).first { months.dropFirst($0 * 3).hasPrefix(name) }
    guard let day = Int(words[0]), let month, name.count == 3, var year = Int(words[2]) else {
      return nil
    }
    if words[2].count == 2 { year += year < 70 ? 2000 : 1900 }
    return seconds(
      year: year, month: month + 1, day: day,
      time: words[3].split(separator: ":").compactMap { Int($0) })
  }

  private static func seconds(year: Int, month: Int, day: Int, time: [Int]) -> Double? {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    // Years begin in March, so that the odd day is the last one.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2])
  }
}

import HTTP

/// How long ago something was, in a few columns: a moment that can be told to somebody else.
public enum RelativeTime {
  /// `"now"`, `"5 min"`, `"2 h"` up to half a day, `"14:05"` of the same day, `"Tue 14:05"` of the
  /// week, then `"12 Mar"` for half a year and within the year of `now`, then `"12 Mar 2017"`. What
  /// lies ahead has `"in "` before it, up to a week; then its date.
  ///
  /// - Parameters:
  ///   - time: seconds since 1970, as `now`.
  ///   - hasZone: the time is one of UTC; else what a clock showed somewhere, which is never told
  ///     as so long ago, and at midnight is a day alone.
  /// - Complexity: O(1).
  public static func string(
    from time: Double, now: Double, hasZone: Bool = true, style: DateStyle = DateStyle()
  ) -> String {
    guard time.isFinite, now.isFinite else { return "" }
    let age = abs(now - time)
    let isAhead = time > now
    if hasZone {
      let prefix = isAhead ? "in " : ""
      if age < 60 { return "now" }
      if age < 3_600 { return "\(prefix)\(Int(age / 60)) min" }
      if age < 43_200 || isAhead && age < 86_400 { return "\(prefix)\(Int(age / 3_600)) h" }
      if isAhead, age < 7 * 86_400 { return "\(prefix)\(Int(age / 86_400)) d" }
    }
    let local = time + (hasZone ? style.utcOffset(at: time) : 0)
    let date = CivilTime(seconds: local)
    let today = CivilTime(seconds: now + style.utcOffset(at: now))
    let days = day(now + style.utcOffset(at: now)) - day(local)
    let isDay = !hasZone && date.hour == 0 && date.minute == 0 && date.second == 0
    if !isDay, days == 0 || !isAhead && days > 0 && days < 7 {
      let clock = style.clock(hour: date.hour, minute: date.minute)
      return days == 0 ? clock : "\(weekday(local, style)) \(clock)"
    }
    let isNear = date.year == today.year || age < 183 * 86_400
    return style.date(day: date.day, month: date.month, year: isNear ? nil : date.year)
  }

  /// The whole date and time: `"Tue 12 Mar 2024, 14:05 +01:00"`; without the offset where the
  /// source names no zone.
  ///
  /// - Complexity: O(1).
  public static func whole(
    _ time: Double, hasZone: Bool = true, style: DateStyle = DateStyle()
  ) -> String {
    guard time.isFinite else { return "" }
    let offset = hasZone ? style.utcOffset(at: time) : 0
    let local = time + offset
    let date = CivilTime(seconds: local)
    let day = style.date(day: date.day, month: date.month, year: date.year)
    let clock = style.clock(hour: date.hour, minute: date.minute)
    let text = "\(weekday(local, style)) \(day), \(clock)"
    guard hasZone else { return text }
    let minutes = Int(abs(offset) / 60)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return text
      + (offset == 0
        ? " UTC" : " \(offset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))")
  }

  /// Days since 1970.
  private static func day(_ time: Double) -> Double { (time / 86_400).rounded(.down) }

  private static func weekday(_ time: Double, _ style: DateStyle) -> String {
    // 1970 began on a Thursday.
    let index = Int((day(time) + 4).truncatingRemainder(dividingBy: 7))
    let positive = index < 0 ? index + 7 : index
    return style.weekdays.indices.contains(positive) ? style.weekdays[positive] : ""
  }
}

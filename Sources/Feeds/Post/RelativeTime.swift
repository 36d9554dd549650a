import HTTP

/// A time as a short text, relative to now: an age, a time of day, or a date.
public enum RelativeTime {
  /// `"now"`, `"5 min"`, `"2 h"` up to half a day, `"14:05"` on the same day, `"Tue 14:05"` within
  /// a week, then `"12 Mar"` within half a year or the year of `now`, then `"12 Mar 2017"`. Future
  /// times are prefixed with `"in "` up to a week ahead, then shown as dates.
  ///
  /// - Parameters:
  ///   - time: seconds since 1970, as `now`.
  ///   - hasZone: whether the time is in UTC; otherwise it is a local time of an unknown zone,
  ///     which is never shown as an age, and at midnight is shown as a date alone.
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
      if isAhead, age < week { return "\(prefix)\(Int(age / 86_400)) d" }
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
    let isNear = date.year == today.year || age < halfYear
    return style.date(day: date.day, month: date.month, year: isNear ? nil : date.year)
  }

  /// The first time after `now` at which ``string(from:now:hasZone:style:)`` returns another text,
  /// to some milliseconds; `nil` if it never does.
  ///
  /// - Complexity: O(1).
  package static func nextChange(
    from time: Double, now: Double, hasZone: Bool = true, style: DateStyle = DateStyle()
  ) -> Double? {
    guard time.isFinite, now.isFinite else { return nil }
    let moments = moments(of: time, now: now, hasZone: hasZone, style: style)
      .map { $0 + tick }.filter { $0 > now }
    guard !moments.isEmpty else { return nil }
    let words = string(from: time, now: now, hasZone: hasZone, style: style)
    return moments.sorted().first {
      string(from: time, now: $0, hasZone: hasZone, style: style) != words
    }
  }

  /// Added to each candidate: the text of a future time changes just after it, and times are
  /// rounded.
  private static let tick = 0.002

  /// Candidates for the times at which the text changes; the next change is among them.
  private static func moments(
    of time: Double, now: Double, hasZone: Bool, style: DateStyle
  ) -> [Double] {
    var moments = [time + halfYear, time - halfYear]
    if hasZone {
      let age = now - time
      let unit: Double = abs(age) < 3_600 ? 60 : abs(age) < 86_400 ? 3_600 : 86_400
      // Ages are rounded towards zero.
      if abs(age) <= 8 * 86_400 {
        let whole = (age / unit).rounded(.down)
        moments += [time + whole * unit, time + (whole + 1) * unit]
      }
      moments += [-week, -86_400, -3_600, -60, 60, 3_600, 43_200].map { time + $0 }
    }
    let local = time + (hasZone ? style.utcOffset(at: time) : 0)
    var newYear = CivilTime(seconds: local)
    (newYear.month, newYear.day) = (1, 1)
    (newYear.hour, newYear.minute, newYear.second) = (0, 0, 0)
    let thisYear = newYear.seconds
    newYear.year += 1
    let midnights = [0, 1, 7].map { (day(local) + $0) * 86_400 }
    for moment in midnights + [thisYear, newYear.seconds].compactMap(\.self) {
      // Midnight in the reader's zone; both offsets of a night in which clocks change.
      let first = moment - style.utcOffset(at: moment)
      moments += [first, moment - style.utcOffset(at: first)]
    }
    return moments
  }

  /// `"14:05"` on the same day, `"Tue 14:05"` within a week after it, then a date; never an age.
  ///
  /// - Parameter time: seconds since 1970, as `now`.
  /// - Complexity: O(1).
  package static func moment(
    _ time: Double, now: Double, style: DateStyle = DateStyle()
  ) -> String {
    guard time.isFinite else { return "" }
    return string(from: time + style.utcOffset(at: time), now: now, hasZone: false, style: style)
  }

  /// The full date and time: `"Tue 12 Mar 2024, 14:05 +01:00"`; without the offset if the source
  /// names no zone.
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

  private static let week = 7 * 86_400.0
  /// The minimum age in seconds at which the year is shown, if it differs from the current one.
  private static let halfYear = 183 * 86_400.0

  /// Days since 1970.
  private static func day(_ time: Double) -> Double { (time / 86_400).rounded(.down) }

  private static func weekday(_ time: Double, _ style: DateStyle) -> String {
    // 1970 began on a Thursday.
    let index = Int((day(time) + 4).truncatingRemainder(dividingBy: 7))
    let positive = index < 0 ? index + 7 : index
    return style.weekdays.indices.contains(positive) ? style.weekdays[positive] : ""
  }
}

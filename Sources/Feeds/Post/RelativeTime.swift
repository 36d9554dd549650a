import HTTP

/// How long ago something was, in a few columns.
public enum RelativeTime {
  /// `"now"`, `"5 min"`, `"2 h"`, `"3 d"`, then `"12 Mar"` for half a year and within the year of
  /// `now`, then `"2019"`. What lies ahead has `"in "` before it, up to a week; then its date.
  ///
  /// Times are seconds since 1970; `utcOffset` is the reader's zone in seconds east of UTC.
  ///
  /// - Complexity: O(1).
  public static func string(from time: Double, now: Double, utcOffset: Int = 0) -> String {
    guard time.isFinite, now.isFinite else { return "" }
    let age = abs(now - time)
    let prefix = time > now ? "in " : ""
    if age < 60 { return "now" }
    if age < 3_600 { return "\(prefix)\(Int(age / 60)) min" }
    if age < 86_400 { return "\(prefix)\(Int(age / 3_600)) h" }
    if age < 7 * 86_400 { return "\(prefix)\(Int(age / 86_400)) d" }
    let date = CivilTime(seconds: time + Double(utcOffset))
    let today = CivilTime(seconds: now + Double(utcOffset))
    guard date.year == today.year || age < 183 * 86_400 else { return String(date.year) }
    return "\(date.day) \(CivilTime.monthNames[date.month - 1])"
  }
}

import Feeds

/// The form in which a library keeps the schedule of a feed (`Feed.Schedule.hint`), used after an
/// answer that does not repeat it, such as 304. It is three numbers: the period in seconds, the
/// skipped hours and the skipped days, both as bit masks: `"3600 0 65"`.
extension FeedSchedule {
  /// Empty for a feed without a schedule.
  var hint: String {
    self == FeedSchedule() ? "" : "\(Int(min(period, 1e9))) \(skippedHours) \(skippedDays)"
  }

  /// A hint that cannot be read counts as none.
  init(hint: String) {
    self.init()
    let parts = hint.split(separator: " ")
    guard parts.count == 3, let seconds = UInt32(parts[0]), let hours = UInt32(parts[1]),
      let days = UInt8(parts[2])
    else { return }
    period = Double(seconds)
    skippedHours = hours
    skippedDays = days
  }
}

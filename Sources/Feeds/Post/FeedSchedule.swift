/// When a feed asks to be read again: `ttl`, `skipHours` and `skipDays` of RSS 2.0, `updatePeriod`
/// and `updateFrequency` of the syndication module.
package struct FeedSchedule: Hashable, Sendable {
  /// Seconds between two changes, as the feed announces them; 0 if it does not.
  package var period = 0.0
  /// Hours of the day in UTC, 0...23, at which the feed is not to be read: bit n is hour n.
  package var skippedHours: UInt32 = 0
  /// Days of the week in UTC at which the feed is not to be read: bit n is day n, Sunday is 0.
  package var skippedDays: UInt8 = 0

  package init() {}

  /// The schedule that a channel of RSS or a feed of Atom gives.
  init(of channel: FeedElement) {
    let minutes = channel.line(of: "ttl", in: .plain).flatMap(Self.number) ?? 0
    period = max(minutes * 60, Self.syndicationPeriod(of: channel))
    for hour in Self.lines("hour", of: channel.first("skiphours", in: .plain)) {
      // Some feeds count from 1 to 24.
      guard let number = Int(hour), (0...24).contains(number) else { continue }
      skippedHours |= 1 << UInt32(number % 24)
    }
    for day in Self.lines("day", of: channel.first("skipdays", in: .plain)) {
      guard let index = Self.days.firstIndex(of: day.lowercased()) else { continue }
      skippedDays |= 1 << UInt8(index)
    }
  }

  private static let days = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]

  private static func lines(_ name: ElementName, of element: FeedElement?) -> [String] {
    element?.elements(name, in: .plain).compactMap(\.line) ?? []
  }

  /// A positive number.
  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// Seconds: the period divided by the frequency, of which a missing one counts as a day or 1; 0
  /// if both are missing or the period is unknown.
  private static func syndicationPeriod(of channel: FeedElement) -> Double {
    let unit = channel.line(of: "updateperiod", in: .syndication)
    let frequency = channel.line(of: "updatefrequency", in: .syndication).flatMap(number)
    guard unit != nil || frequency != nil else { return 0 }
    let seconds: Double =
      switch unit?.lowercased() {
      case "hourly": 3_600
      case "daily", nil: 86_400
      case "weekly": 604_800
      case "monthly": 2_592_000
      case "yearly": 31_536_000
      default: 0
      }
    return seconds / max(1, frequency ?? 1)
  }
}

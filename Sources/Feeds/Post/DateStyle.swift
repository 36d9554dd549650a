import System

/// The form in which dates are shown: the names, order and clock of a locale, and a time zone.
public struct DateStyle: Sendable {
  /// The abbreviated names of the months, January first.
  public var months: [String]
  /// The abbreviated names of the days, Sunday first.
  public var weekdays: [String]
  /// Whether the month precedes the day.
  public var isMonthFirst: Bool
  /// The suffixes AM and PM in the locale's language; `nil` for a 24-hour clock.
  public var halves: [String]?
  /// The offset of the zone, in seconds east of UTC, at a time in seconds since 1970.
  private let offset: @Sendable (Double) -> Int

  /// English names, a 24-hour clock, and a zone `utcOffset` seconds east of UTC.
  public init(utcOffset: Int = 0) {
    self.init { _ in utcOffset }
  }

  private init(_ offset: @escaping @Sendable (Double) -> Int) {
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
      .map(String.init)
    weekdays = "Sun Mon Tue Wed Thu Fri Sat".split(separator: " ").map(String.init)
    isMonthFirst = false
    self.offset = offset
  }

  /// The style of the process's locale (`LC_TIME`) and time zone, read on first access.
  public static let reader: DateStyle = {
    tzset()
    var style = DateStyle(systemOffset)
    let variables: [String] = ["LC_ALL", "LC_TIME", "LANG"]
    let values = variables.compactMap { variable -> String? in
      guard let value = getenv(variable) else { return nil }
      return String(cString: value)
    }
    let name = values.first { !$0.isEmpty } ?? "C"
    guard name != "POSIX", name != "C", !name.hasPrefix("C."),
      let locale = newlocale(1 << LC_TIME | 1 << LC_CTYPE, name, nil)
    else { return style }
    defer { freelocale(locale) }
    let text = { (item: Int) -> String in
      guard let words = nl_langinfo_l(nl_item(item), locale) else { return "" }
      return String(cString: words).split(separator: " ").joined(separator: " ")
    }
    let months = (0..<12).map { text(Int(ABMON_1) + $0) }
    let weekdays = (0..<7).map { text(Int(ABDAY_1) + $0) }
    guard (months + weekdays).allSatisfy({ !$0.isEmpty && !$0.contains("\u{FFFD}") }) else {
      return style
    }
    (style.months, style.weekdays) = (months, weekdays)
    let order = text(Int(D_FMT))
    let day = order.firstIndex(of: "d") ?? order.firstIndex(of: "e") ?? order.endIndex
    style.isMonthFirst =
      (order.firstIndex(of: "m") ?? order.endIndex) < day
      && order.hasPrefix("%m")
    let clock = text(Int(T_FMT))
    let halves = [text(Int(AM_STR)), text(Int(PM_STR))]
    if clock.contains("%r") || clock.contains("%I") || clock.contains("%p"),
      halves.allSatisfy({ !$0.isEmpty })
    {
      style.halves = halves
    }
    return style
  }()

  private static let systemOffset: @Sendable (Double) -> Int = { seconds in
    guard var time = time_t(exactly: seconds.rounded(.down)) else { return 0 }
    var local = tm()
    return localtime_r(&time, &local) == nil ? 0 : local.tm_gmtoff
  }

  /// The offset in seconds east of UTC at `time`; 0 if the system reports more than a day.
  func utcOffset(at time: Double) -> Double {
    let offset = offset(time)
    return abs(offset) <= 86_400 ? Double(offset) : 0
  }

  /// `"14:05"`, `"2:05 PM"`.
  func clock(hour: Int, minute: Int) -> String {
    let minutes = minute < 10 ? "0\(minute)" : String(minute)
    guard let halves, halves.count == 2 else {
      return "\(hour < 10 ? "0" : "")\(hour):\(minutes)"
    }
    return "\((hour + 11) % 12 + 1):\(minutes) \(halves[hour < 12 ? 0 : 1])"
  }

  /// `"12 Mar"`, `"12 Mar 2017"`, in the order of the locale.
  func date(day: Int, month: Int, year: Int?) -> String {
    guard months.indices.contains(month - 1) else { return "" }
    let name = months[month - 1]
    switch name.unicodeScalars.last {
    case "月": return (year.map { "\($0)年" } ?? "") + "\(name)\(day)日"
    case "월": return (year.map { "\($0)년 " } ?? "") + "\(name) \(day)일"
    default:
      guard isMonthFirst else { return "\(day) \(name)" + (year.map { " \($0)" } ?? "") }
      return "\(name) \(day)" + (year.map { ", \($0)" } ?? "")
    }
  }
}

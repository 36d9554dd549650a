/// Names of time zones in dates.
enum ZoneNames {
  /// Seconds east of UTC for `Z`, `GMT`, `EST` and similar names; `nil` for unknown and ambiguous
  /// names.
  static func offset(_ name: String) -> Int? { minutes[name.uppercased()].map { $0 * 60 } }

  private static let minutes: [String: Int] = {
    let hours: [(Double, String)] = [
      (0, "Z UT UTC GMT WET"), (-10, "HST"), (-9, "AKST"), (-8, "PST AKDT"), (-7, "MST PDT"),
      (-6, "CST MDT"), (-5, "EST CDT"), (-4, "EDT AST"), (-3.5, "NST"), (-2.5, "NDT"),
      (-3, "ADT ART BRT"), (-2, "BRST"), (1, "CET MEZ WEST BST WAT"), (2, "CEST MESZ EET SAST CAT"),
      (3, "EEST MSK TRT EAT"), (4, "MSD"), (5, "PKT YEKT"), (5.75, "NPT"), (7, "ICT WIB NOVT"),
      (8, "HKT SGT AWST WITA PHT"), (9, "JST KST WIT"), (9.5, "ACST"), (10, "AEST"), (10.5, "ACDT"),
      (11, "AEDT"), (12, "NZST"), (13, "NZDT"),
    ]
    var minutes: [String: Int] = [:]
    for (hour, names) in hours {
      for name in names.split(separator: " ") { minutes[String(name)] = Int(hour * 60) }
    }
    return minutes
  }()
}

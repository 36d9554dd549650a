extension Int {
  /// The number with the name of the things counted: `1.counted("reply", "replies")` is "1 reply".
  ///
  /// - Parameter many: the plural; `one` with an "s" if it is `nil`.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
  }

  /// The number with commas between thousands: "10,000,000".
  package var grouped: String {
    var text = ""
    for (index, digit) in String(magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}

extension Int {
  /// The number with the name of the things counted: `1.counted("reply", "replies")` is "1 reply".
  ///
  /// - Parameter many: the plural; `one` with an "s" if it is `nil`.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
  }
}

extension Int {
  /// A limit in bytes, exactly: in MB if it is a multiple of 100,000 and at least 1 MB, in GiB, MiB
  /// or KiB if it is a multiple of these, else in bytes.
  package var formattedBytes: String {
    if self >= 1_000_000, self % 100_000 == 0 {
      return self % 1_000_000 == 0
        ? "\(self / 1_000_000) MB" : "\(self / 1_000_000).\(self / 100_000 % 10) MB"
    }
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")]
    where self > 0 && self % (1 << shift) == 0 {
      return "\(self >> shift) \(unit)"
    }
    return "\(self) bytes"
  }
}

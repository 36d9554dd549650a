/// Options of a demo.
package struct DemoOptions: Sendable {
  /// The seed of everything random: sizes, order, latencies.
  package var seed: UInt64
  /// Whether the moments demo provokes a constraint conflict in its first row.
  package var provokesConflict: Bool
  /// Whether all pictures wait until the user lets them in.
  package var holdsPictures: Bool
  /// The source of the pictures.
  package var pictures: DemoPictures
  /// The two-letter code of the user's language.
  package var language: String
  /// The clock that times the pictures of the queue demo; `nil` for the system's.
  package var clock: DemoClock?
  /// Returns the time of a monotonic clock, for the demos' measurements.
  var time: @Sendable () -> ContinuousClock.Instant = { .now }

  /// Creates options; by default those of a demo started without any.
  package init(
    seed: UInt64 = 1, provokesConflict: Bool = false, holdsPictures: Bool = false,
    pictures: DemoPictures = .own, language: String = "en"
  ) {
    self.seed = seed
    self.provokesConflict = provokesConflict
    self.holdsPictures = holdsPictures
    self.pictures = pictures
    self.language = language
  }
}

/// Options of a demo.
public struct DemoOptions: Sendable {
  /// The seed of everything random: sizes, order, latencies.
  public var seed: UInt64
  /// Whether the moments demo provokes a constraint conflict in its first row.
  public var provokesConflict: Bool
  /// Whether all pictures wait until the user lets them in.
  public var holdsPictures: Bool
  /// The source of the pictures.
  public var pictures: DemoPictures
  /// The two-letter code of the user's language.
  public var language: String
  /// The clock that times the pictures of the queue demo; `nil` for the system's.
  public var clock: DemoClock?
  /// Returns the time of a monotonic clock, for the demos' measurements.
  var time: @Sendable () -> ContinuousClock.Instant = { .now }

  /// Creates options; by default those of a demo started without any.
  public init(
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

/// Options of a demo.
public struct DemoOptions: Sendable {
  /// The seed of everything random: sizes, order, latencies.
  public var seed: UInt64
  /// Whether the moments demo provokes a constraint conflict in its first row.
  public var provokesConflict: Bool
  /// Whether all pictures wait until the reader lets them in.
  public var holdsPictures: Bool
  /// The source of the pictures.
  public var pictures: DemoPictures
  /// The user's language, by its code of two letters.
  public var language: String
  /// The time in which the pictures of the queue demo arrive; `nil` for the system's.
  public var clock: DemoClock?
  /// The time of a clock that never goes back, for what the demos measure.
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

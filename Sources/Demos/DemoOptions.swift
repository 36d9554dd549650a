/// What can be chosen about a demo.
public struct DemoOptions: Sendable {
  /// Fixes what is random: sizes, order, latencies.
  public var seed: UInt64
  /// Has the moments demo provoke a conflict of constraints in its first row.
  public var provokesConflict: Bool
  /// Has all pictures wait until the reader lets them in.
  public var holdsPictures: Bool
  /// Where the pictures are.
  public var pictures: DemoPictures

  /// The demos as they are without options, but for these.
  public init(
    seed: UInt64 = 1, provokesConflict: Bool = false, holdsPictures: Bool = false,
    pictures: DemoPictures = .own
  ) {
    self.seed = seed
    self.provokesConflict = provokesConflict
    self.holdsPictures = holdsPictures
    self.pictures = pictures
  }
}

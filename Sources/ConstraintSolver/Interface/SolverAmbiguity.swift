/// A second optimum, as good at every priority as the one that `solve` chose.
public struct SolverAmbiguity: Sendable {
  /// The variables whose values the constraints leave open, in the order asked about.
  public let variables: [Variable]
  /// The values of a second optimum, in the order asked about. At least one differs.
  public let values: [Double]
}

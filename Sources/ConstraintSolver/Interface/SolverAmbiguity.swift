/// A second optimum, as good at every priority as the one that `solve` chose.
public struct SolverAmbiguity: Sendable {
  /// Every variable whose value the constraints leave open, in the order asked about.
  public let variables: [Variable]
  /// Values of a second optimum, in the order asked about. At least one differs.
  public let values: [Double]
}

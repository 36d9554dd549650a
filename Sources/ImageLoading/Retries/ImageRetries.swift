/// How often a picture is tried again that may still be had, and when.
public struct ImageRetries: Hashable, Sendable {
  /// Requests for a picture until it counts as failed, at least 1. 4 by default.
  public var maximumTries = 4
  /// Seconds before the first retry, which double with each further one; each wait is between half
  /// of that and all of it, by chance. 1.5 by default.
  public var firstDelay = 1.5
  /// Seconds that are waited at most, however often it has failed and whatever the server asks for:
  /// where it asks for more the picture counts as failed until then. 60 by default.
  public var longestDelay = 60.0
  /// Seconds for which what has failed so often is not asked for, unless `tryAgain` is called. 300
  /// by default.
  public var restAfterFailure = 300.0
  /// Failures remembered, those longest unused going first. 4,096 by default.
  public var maximumFailures = 4_096

  /// The defaults.
  public init() {}
}

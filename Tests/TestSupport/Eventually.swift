import Testing

/// Waits until a condition holds, while other tasks run.
///
/// Records an issue and returns if it does not hold within two minutes: a test that waits for ever
/// keeps the process of all tests from ending, and nothing says which test it is.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async rethrows {
  let deadline = ContinuousClock.now + .seconds(120)
  while try !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record("the condition did not hold within two minutes", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

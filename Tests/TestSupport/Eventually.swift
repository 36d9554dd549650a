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
  var tries = 0
  while try !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record("the condition did not hold within two minutes", sourceLocation: sourceLocation)
      return
    }
    await letOthersRun(afterTries: tries)
    tries += 1
  }
}

/// Lets other tasks run before a condition is tried again.
///
/// After some tries it waits a millisecond each time: what is waited for may be the work of other
/// threads, which a loop without a pause would keep from a processor.
///
/// - Parameter tries: the number of times that the condition was false before.
public func letOthersRun(
  isolation: isolated (any Actor)? = #isolation, afterTries tries: Int
) async {
  if tries < 100 {
    await Task.yield()
  } else {
    try? await Task.sleep(for: .milliseconds(1))
  }
}

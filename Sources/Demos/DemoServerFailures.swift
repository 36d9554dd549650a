import Synchronization

/// Remembers which flaky pictures have failed already.
final class DemoServerFailures: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// True the first time that `path` is asked for.
  func begins(with path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}

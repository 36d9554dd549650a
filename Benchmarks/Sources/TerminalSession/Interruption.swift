import Glibc
import Synchronization

/// Ctrl-C and its like. They only set a mark, which is looked at between any two things that take
/// time: so the programs are ended and the files deleted on the way out as on every other.
package enum Interruption {
  private static let isWanted = Atomic(false)

  package static func listen() {
    isWanted.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in Interruption.isWanted.store(true, ordering: .relaxed) }
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// - Throws: `BenchmarkError.interrupted` once a signal came.
  package static func check() throws(BenchmarkError) {
    if isWanted.load(ordering: .relaxed) { throw .interrupted }
  }
}

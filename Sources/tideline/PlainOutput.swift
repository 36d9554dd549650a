import Feeds
import System
import TimelineStore
import TimelineUI

/// Prints posts on standard output, as text or as JSON, as they are read.
struct PlainOutput {
  enum Form: Sendable { case text, json }

  let form: Form
  /// What posts have to fit; nil where all are printed.
  var filter: PostQuery?

  /// Prints all posts of `reader`: some are read and written while others are being found, in
  /// order.
  ///
  /// - Parameter replace: gives what is printed in the place of a reader that fails before its
  ///   first post; nil has the failure thrown.
  /// - Returns: when everything is printed or nobody reads any more.
  /// - Throws: `SourceError`, after what was read is printed; `Failure`.
  func print(
    _ reader: any PostReader, orElse replace: (@Sendable (SourceError) -> any PostReader)? = nil
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) {
      try await printAll(reader, orElse: replace)
    }
  }

  private static let threads = WorkerThreads(limit: WorkerThreads.usualLimit)

  private func printAll(
    _ reader: any PostReader, orElse replace: (@Sendable (SourceError) -> any PostReader)?
  ) async throws {
    let order = PrintOrder(form: form, filter: filter)
    var batches: [Task<Void, any Error>] = []
    var failure: SourceError?
    var isFirst = true
    do {
      while order.isRead, let posts = try await reader.nextUnread() {
        if !posts.isEmpty { isFirst = false }
        for part in posts.parts(atMost: Self.postsAtOnce) {
          let before = batches.last
          batches.append(
            Task.detached(executorPreference: Self.threads) { [form, filter] in
              let batch = WrittenPosts(part, as: form, filter: filter)
              try await before?.value
              try await order.print(batch)
            })
          if batches.count == Self.batchesAtOnce { try await batches.removeFirst().value }
        }
      }
    } catch let error as SourceError {
      failure = error
    }
    try await batches.last?.value
    guard let failure else {
      if let omission = await reader.omission() { Program.tell(omission) }
      return
    }
    guard isFirst, let replace else { throw failure }
    try await printAll(replace(failure), orElse: nil)
  }

  /// Batches that are read or wait to be printed.
  private static let batchesAtOnce = 6
  /// Posts of a batch: what is printed of it is held until those before it are printed.
  private static let postsAtOnce = 4_096

  /// Looks whether standard output takes anything, for output that may turn out to be empty.
  ///
  /// - Throws: `Failure` if it does not.
  static func check() throws(Failure) {
    if System.write(STDOUT_FILENO, "", 0) < 0 { _ = try outcome(of: SystemFailure(code: errno)) }
  }

  /// - Returns: false where nobody reads standard output any more.
  static func write(_ text: String) throws(Failure) -> Bool { try write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) throws(Failure) -> Bool {
    do throws(SystemFailure) {
      try Output.write(bytes, to: STDOUT_FILENO)
      return true
    } catch {
      return try outcome(of: error)
    }
  }

  private static func outcome(of failure: SystemFailure) throws(Failure) -> Bool {
    guard failure.code != EPIPE else { return false }
    throw Failure(
      message: "standard output: cannot be written: \(failure.message)",
      status: Program.Status.cannotCreate)
  }
}

import Feeds
import System
import TimelineStore
import TimelineUI

/// Prints posts on standard output, as text or as JSON, while they are read.
struct PlainOutput {
  enum Form: Sendable { case text, json }

  let form: Form
  /// The query that posts have to fit; `nil` to print all.
  var filter: PostQuery?

  /// Prints all posts of `reader` in order; batches are formatted in parallel while further posts
  /// are read. Returns when everything is printed, or when the reader of standard output has closed
  /// it.
  ///
  /// - Parameter replace: returns the reader to print if `reader` fails before its first post, and
  ///   if that one does; `nil` to throw the failure.
  /// - Throws: `SourceError`, after printing the posts read before it; `Failure`.
  func print(
    _ reader: any PostReader, orElse replace: (@Sendable (SourceError) -> (any PostReader)?)? = nil
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) {
      try await printAll(reader, orElse: replace, times: 2)
    }
  }

  private static let threads = WorkerThreads(limit: WorkerThreads.defaultLimit)

  private func printAll(
    _ reader: any PostReader, orElse replace: (@Sendable (SourceError) -> (any PostReader)?)?,
    times: Int
  ) async throws {
    let order = OrderedOutput(form: form)
    let filter = reader.isFiltered ? nil : filter
    var batches: [Task<Void, any Error>] = []
    var failure: SourceError?
    var isFirst = true
    do {
      while order.isRead, let posts = try await reader.nextUnparsed() {
        if !posts.isEmpty { isFirst = false }
        for part in posts.parts(atMost: Self.postsAtOnce) {
          let before = batches.last
          batches.append(
            Task.detached(executorPreference: Self.threads) { [form] in
              let batch = FormattedPosts(part, as: form, filter: filter)
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
    guard isFirst, times > 0, let next = replace?(failure) else { throw failure }
    try await printAll(next, orElse: replace, times: times - 1)
  }

  /// The batches that are being formatted or waiting to be printed.
  private static let batchesAtOnce = 6
  /// The posts in a batch: the output of a batch is held until those before it are printed.
  private static let postsAtOnce = 4_096

  /// Checks that standard output can be written, for output that may be empty.
  ///
  /// - Throws: `Failure` if it cannot.
  static func check() throws(Failure) {
    if System.write(STDOUT_FILENO, "", 0) < 0 { _ = try outcome(of: SystemFailure(code: errno)) }
  }

  /// - Returns: `false` if the reader of standard output has closed it.
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
      status: Program.Status.ioError)
  }
}

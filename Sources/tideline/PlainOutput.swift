import Feeds
import System
import TimelineStore
import TimelineUI

/// Prints posts on standard output, as text or as JSON, as they are read.
struct PlainOutput {
  enum Form { case text, json }

  /// Standard output cannot be written.
  struct Failure: Error {
    let code: Int32
  }

  let form: Form

  /// Prints all posts of `reader`.
  ///
  /// - Parameter replace: gives what is printed in the place of a reader that fails before its first
  ///   post; nil has the failure thrown.
  /// - Returns: when everything is printed or nobody reads any more.
  /// - Throws: `SourceError`, after what was read is printed; `Failure`.
  func print(
    _ reader: any PostReader, orElse replace: (@Sendable (SourceError) -> any PostReader)? = nil
  ) async throws {
    var isFirst = true
    while let batch = try await next(of: reader, orElse: isFirst ? replace : nil) {
      var text = ""
      for post in batch.posts {
        switch form {
        case .json: text += PostWriter.jsonItem(post) + "\n"
        case .text:
          if !isFirst { text += "\n" }
          text += PostWriter.plainText(post)
          if !text.hasSuffix("\n") { text += "\n" }
        }
        isFirst = false
      }
      guard try Self.write(text) else { return }
    }
  }

  private func next(
    of reader: any PostReader, orElse replace: (@Sendable (SourceError) -> any PostReader)?
  ) async throws -> SourceReader.Batch? {
    do throws(SourceError) {
      return try await reader.next()
    } catch {
      guard let replace else { throw error }
      try await print(replace(error))
      return nil
    }
  }

  /// - Returns: false where nobody reads standard output any more.
  static func write(_ text: String) throws(Failure) -> Bool {
    do throws(SystemFailure) {
      try Output.write(text.utf8, to: STDOUT_FILENO)
      return true
    } catch {
      guard error.code == EPIPE else { throw Failure(code: error.code) }
      return false
    }
  }
}

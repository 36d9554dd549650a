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
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { systemWrite(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0 {
        switch errno {
        case EINTR: continue
        case EPIPE: return false
        case EAGAIN:
          var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, -1)
        default: throw Failure(code: errno)
        }
        continue
      }
      rest = rest.dropFirst(written)
    }
    return true
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

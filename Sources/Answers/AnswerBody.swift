import HTTP

/// The unpacked body of a server's answer, until it ends or breaks off.
///
/// A body that breaks off fails, unless it may be partial: then it is returned to its last byte,
/// and `breakage` says why it ends there.
package final class AnswerBody {
  private let body: HTTPBody
  private let mayBePartial: Bool
  private let unpacker = AnswerUnpacker()
  /// Why the body broke off, if it did.
  package private(set) var breakage: HTTPError?

  package init(_ body: HTTPBody, mayBePartial: Bool) {
    self.body = body
    self.mayBePartial = mayBePartial
  }

  /// The next bytes; empty at the end.
  ///
  /// - Throws: `AnswerFailure` if the body breaks off and may not be partial, or if the exchange is
  ///   cancelled.
  nonisolated(nonsending) package func next() async throws(AnswerFailure) -> [UInt8] {
    while true {
      let piece = unpacker.next()
      guard piece.isEmpty else { return piece }
      var chunk: [UInt8]?
      if breakage != nil { return try finish() }
      do throws(HTTPError) {
        var chunks = body.makeAsyncIterator()
        chunk = try await chunks.next(isolation: #isolation)
      } catch {
        guard mayBePartial, error != .cancelled else { throw AnswerFailure(reason: .remote(error)) }
        breakage = error
      }
      guard let chunk else { return try finish() }
      unpacker.add(chunk)
    }
  }

  /// Appends whole pieces until `bytes` has at least `count` bytes; it may end up with more.
  ///
  /// - Returns: whether the body ended before that.
  @discardableResult nonisolated(nonsending) package func read(
    into bytes: inout [UInt8], atLeast count: Int
  ) async throws(AnswerFailure) -> Bool {
    while bytes.count < count {
      let more = try await next()
      if more.isEmpty { return true }
      bytes += more
    }
    return false
  }

  /// The last bytes, when no more will arrive; empty if all were returned.
  private func finish() throws(AnswerFailure) -> [UInt8] {
    let rest = unpacker.finish()
    guard rest.isEmpty, breakage == nil, let failure = unpacker.failure else { return rest }
    guard mayBePartial else { throw AnswerFailure(reason: .remote(failure)) }
    breakage = failure
    return rest
  }

  /// Returns the breakage and clears it.
  func takeBreakage() -> HTTPError? {
    defer { breakage = nil }
    return breakage
  }

  /// Puts bytes back, to be returned next.
  func putBack(_ bytes: [UInt8]) { unpacker.putBack(bytes) }

  /// Converts the text, which begins with `bytes`, to UTF-8; see
  /// ``AnswerUnpacker/convert(_:from:)``.
  func convert(_ bytes: inout [UInt8], from charset: String? = nil) -> Bool {
    unpacker.convert(&bytes, from: charset)
  }
}

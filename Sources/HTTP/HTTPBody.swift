/// The source of a transport's body, for one reader at a time.
public protocol HTTPBodySource: AnyObject, Sendable {
  /// The next bytes, never empty; `nil` at the end. Throws `.cancelled` when the task is cancelled.
  func next() async throws(HTTPError) -> [UInt8]?
  /// Drops the rest. Called when the body is released; has no effect after the end.
  func cancel()
}

/// A body as chunks in order of arrival. It can be read once; releasing it ends the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = HTTPError

  fileprivate final class Owner: Sendable {
    let source: any HTTPBodySource
    init(_ source: any HTTPBodySource) { self.source = source }
    deinit { source.cancel() }
  }

  /// Returns the chunks to the only reader.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPError) -> [UInt8]? {
      try await owner.source.next()
    }
  }

  private let owner: Owner

  /// A body that is read from `source`, which is cancelled when the body is released.
  public init(_ source: any HTTPBodySource) { owner = Owner(source) }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }
}

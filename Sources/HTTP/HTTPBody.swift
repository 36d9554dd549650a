/// Where a transport's body comes from; one reader at a time.
public protocol HTTPBodySource: AnyObject, Sendable {
  /// The next bytes, never empty; nil at the end. Ends with `.cancelled` when the task is
  /// cancelled.
  func next() async throws(HTTPError) -> [UInt8]?
  /// The rest is not wanted. Called when the body is dropped; harmless after the end.
  func cancel()
}

/// A body as chunks in the order they arrive. Read once; dropping it ends the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = HTTPError

  fileprivate final class Owner: Sendable {
    let source: any HTTPBodySource
    init(_ source: any HTTPBodySource) { self.source = source }
    deinit { source.cancel() }
  }

  /// Gives the chunks; one reader has one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPError) -> [UInt8]? {
      try await owner.source.next()
    }
  }

  private let owner: Owner

  /// A body that comes from `source`, which is cancelled when the body is dropped.
  public init(_ source: any HTTPBodySource) { owner = Owner(source) }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }
}

import Feeds
import HTTP

/// Loads the pages of a timeline, one at a time.
@MainActor protocol PageLoader: AnyObject {
  /// Requests a page; `then` is called once, later, and also after `cancel`.
  ///
  /// - Parameters:
  ///   - first: as in `PageReader.page`.
  ///   - limit: the limit of its posts.
  func load(
    _ link: HTTPLink, following first: FeedFormat?, limit: PostLimit,
    then: @escaping @MainActor (Result<Page, PageFailure>) -> Void)
  /// Cancels the current request.
  func cancel()
}

/// Loads pages from the network. Keeps one transport, and with it the connections to the host.
@MainActor final class RemotePages: PageLoader {
  private let reader: PageReader
  private let makeTransport: @Sendable () -> any HTTPTransport
  private lazy var transport = makeTransport()
  private var task: Task<Void, Never>?

  /// - Parameter format: detected from the content if it is `nil`.
  init(format: FeedFormat?, transport: @escaping @Sendable () -> any HTTPTransport) {
    reader = PageReader(format: format)
    makeTransport = transport
  }

  func load(
    _ link: HTTPLink, following first: FeedFormat?, limit: PostLimit,
    then: @escaping @MainActor (Result<Page, PageFailure>) -> Void
  ) {
    let (reader, transport) = (reader, transport)
    task = Task {
      let result: Result<Page, PageFailure>
      do throws(PageFailure) {
        result = .success(
          try await reader.page(at: link, following: first, limit: limit, by: transport))
      } catch {
        result = .failure(error)
      }
      then(result)
    }
  }

  func cancel() { task?.cancel() }
}

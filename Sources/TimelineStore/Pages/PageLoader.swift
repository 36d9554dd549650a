import Feeds
import HTTP

/// Where the pages of a timeline come from; one is under way at a time.
@MainActor protocol PageLoader: AnyObject {
  /// Asks for a page; `then` is called once, later, after `cancel` as well.
  ///
  /// - Parameters:
  ///   - first: as `PageReader.page` takes it.
  ///   - limit: what of its posts may be held.
  func load(
    _ link: HTTPLink, following first: FeedFormat?, limit: PostLimit,
    then: @escaping @MainActor (Result<Page, PageFailure>) -> Void)
  /// The page under way is not wanted any more.
  func cancel()
}

/// Pages from the network. Keeps one transport, and with it the connections to the host.
@MainActor final class RemotePages: PageLoader {
  private let reader: PageReader
  private let makeTransport: @Sendable () -> any HTTPTransport
  private lazy var transport = makeTransport()
  private var task: Task<Void, Never>?

  /// - Parameter format: told by content where it is nil.
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

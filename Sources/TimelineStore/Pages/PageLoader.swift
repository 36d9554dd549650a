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
///
/// The first page is asked for conditionally if it was read before; if it has not changed, it is
/// loaded from memory.
@MainActor final class RemotePages: PageLoader {
  private let reader: PageReader
  private let makeTransport: @Sendable () -> any HTTPTransport
  private lazy var transport = makeTransport()
  private var task: Task<Void, Never>?
  /// The first page, if its answer had validators.
  private var firstPage: Page?
  /// The address of the page that was asked for first.
  private var firstURL: String?

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
    let isFirst = firstURL == nil || firstURL == link.url
    firstURL = firstURL ?? link.url
    let known = isFirst ? firstPage : nil
    task = Task { [weak self] in
      var result: Result<Page, PageFailure>
      do throws(PageFailure) {
        result = .success(
          try await reader.page(
            at: link, following: first, limit: limit, validators: known?.validators,
            by: transport))
      } catch {
        result = .failure(error)
        if let known, known.validators != nil, case .remote(.status(304)) = error.reason {
          result = .success(known)
        }
      }
      if isFirst, case .success(let page) = result {
        self?.firstPage = page.validators == nil ? nil : page
      }
      then(result)
    }
  }

  func cancel() { task?.cancel() }
}

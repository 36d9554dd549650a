import HTTP

/// The older pages of a timeline, in the order in which they were added, and where the last leads.
///
/// 1. `next` is the address of the next page, unless the timeline has an `end`.
/// 2. An address is requested once as an older page. A page that leads to such an address is the
///    last.
struct PageTrail: Sendable {
  /// Why no older page follows.
  enum End: Hashable, Sendable {
    case lastPage
    /// The last page leads to this page, counted from 1.
    case loop(page: Int)
    /// The next page must not be requested, for this reason.
    case refused(String)
    /// The limit of posts is reached.
    case full
    /// The first page could not be read.
    case failed
  }

  let first: HTTPLink
  private(set) var next: HTTPLink
  /// The number of pages added, including the first one.
  private(set) var count = 0
  private(set) var end: End?
  /// The number of pages added without a new post since the last one with some.
  private(set) var emptyRun = 0
  /// The numbers of the pages by their addresses.
  private var visited: [URLReference: Int] = [:]

  init(first: HTTPLink) {
    self.first = first
    next = first
    visited[URLReference(first.url).normalized] = 1
  }

  /// Adds a page, which was requested as `asked`.
  mutating func add(_ page: Paging.AddedPage, asked: String) {
    count += 1
    for url in [asked, page.url].map({ URLReference($0).normalized }) where visited[url] == nil {
      visited[url] = count
    }
    follow(page)
    emptyRun = page.added > 0 ? 0 : emptyRun + 1
  }

  /// Determines what comes after a page.
  mutating func follow(_ page: Paging.AddedPage) {
    if page.isCut {
      end = .full
      return
    }
    switch page.next {
    case .none: end = .lastPage
    case .refused(let why): end = .refused(why)
    case .address(let link):
      if let number = visited[URLReference(link.url).normalized] {
        // Some servers end with an empty page that names itself as the next one.
        end = page.added == 0 && number == count ? .lastPage : .loop(page: number)
      } else if page.count >= Paging.maximumPosts || page.text >= Paging.maximumPostBytes {
        end = .full
      } else {
        next = link
        end = nil
      }
    }
  }

  /// Ends the timeline if its first page could not be read.
  mutating func fail() { if count == 0 { end = .failed } }

  mutating func forgiveEmptyPages() { emptyRun = 0 }
}

import Feeds
import System

/// A refresh of a timeline in pages.
///
/// 1. It collects the posts of pages, until they are merged with the known ones off the main actor.
/// 2. The merged rows are taken once, when rows may change.
/// 3. The caller's handler is called once, at the end.
@MainActor final class PageRefresh {
  /// The timeline's description of itself on the first page.
  private(set) var info = TimelineInfo()
  private var fresh = PagedRows()
  private(set) var merging: Task<Void, Never>?
  private var merged: (rows: PagedRows, change: PostChange)?
  private var onEnd: (() -> Void)?

  init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

  /// Adds the posts of a page.
  ///
  /// - Returns: the number of those that were new, and whether all so far connect to `known`.
  func add(_ page: Page, to known: PagedRows) -> (added: Int, connectsToKnownPosts: Bool) {
    if fresh.count == 0 { info = page.info }
    let added = fresh.append(page.posts)
    return (added, known.meets(fresh.rows.posts))
  }

  func merge(with known: PagedRows, _ ending: Paging.RefreshEnd, then: @escaping () -> Void) {
    let fresh = fresh.rows.posts
    merging = Task { [weak self] in
      let merged = await WorkerThreads.pages.value {
        known.refreshed(with: fresh, ending: ending)
      }
      self?.merged = merged
      then()
    }
  }

  func takeMerged() -> (rows: PagedRows, change: PostChange)? {
    defer { merged = nil }
    return merged
  }

  func end() {
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?()
  }
}

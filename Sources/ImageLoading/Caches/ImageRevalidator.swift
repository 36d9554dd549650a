import HTTP

/// Revalidates pictures that were shown from the disk although they were no longer fresh: one at a
/// time, in the background.
@MainActor final class ImageRevalidator {
  /// Maximum number of waiting pictures; others are revalidated when they are next shown.
  private static let limit = 64

  private let fetcher: ImageFetcher
  private var waiting: [HTTPLink] = []
  private var task: Task<Void, Never>?

  /// Whether no picture is being revalidated.
  var isIdle: Bool { task == nil }

  init(_ fetcher: ImageFetcher) { self.fetcher = fetcher }

  func refresh(_ link: HTTPLink) {
    guard waiting.count < Self.limit, !waiting.contains(link) else { return }
    waiting.append(link)
    guard task == nil else { return }
    task = Task { [weak self, fetcher] in
      while let link = self?.next() {
        await withTaskExecutorPreference(ImageFetcher.threads) { await fetcher.refresh(link) }
      }
      self?.task = nil
    }
  }

  func stop() {
    waiting = []
    task?.cancel()
  }

  private func next() -> HTTPLink? {
    Task.isCancelled || waiting.isEmpty ? nil : waiting.removeFirst()
  }
}

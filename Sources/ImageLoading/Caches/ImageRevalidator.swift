import HTTP

/// Revalidates pictures that were shown from the disk although they were no longer fresh: one at a
/// time, in the background.
@MainActor final class ImageRevalidator {
  /// Maximum number of waiting pictures; others are revalidated when they are next shown.
  private static let limit = 64

  private var waiting: [ImageFetch] = []
  private var task: Task<Void, Never>?

  /// Whether no picture is being revalidated.
  var isIdle: Bool { task == nil }

  func refresh(_ fetch: ImageFetch) {
    guard waiting.count < Self.limit, !waiting.contains(where: { $0.link == fetch.link }) else {
      return
    }
    waiting.append(fetch)
    guard task == nil else { return }
    task = Task { [weak self] in
      while let fetch = self?.next() {
        await withTaskExecutorPreference(ImageFetch.threads) { await fetch.refresh() }
      }
      self?.task = nil
    }
  }

  func stop() {
    waiting = []
    task?.cancel()
  }

  private func next() -> ImageFetch? {
    Task.isCancelled || waiting.isEmpty ? nil : waiting.removeFirst()
  }
}

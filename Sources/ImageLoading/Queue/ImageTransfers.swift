import HTTP
import HTTPCache
import System

/// What runs off the main actor to bring a loader's bytes: a task for each job that is read or
/// fetched.
@MainActor final class ImageTransfers {
  /// Called while a job's bytes come.
  var onReport: (@MainActor (_ job: UInt64, ImageFetch.Report) -> Void)?

  private let transport: any HTTPTransport
  private let decoder: any ImageDecoder
  private let configuration: ImageLoaderConfiguration
  private let disk: HTTPCache?
  private let refresher = ImageRefresher()
  /// For the bytes of pictures: their headers, and those that an address itself holds.
  static let threads = WorkerThreads(limit: 2)
  private var tasks: [UInt64: Task<Void, Never>] = [:]

  /// - Parameter disk: where answers are kept; nowhere where there is none or the configuration has
  ///   no cache.
  init(
    transport: any HTTPTransport, decoder: any ImageDecoder,
    configuration: ImageLoaderConfiguration, disk: HTTPCache?
  ) {
    (self.transport, self.decoder, self.configuration) = (transport, decoder, configuration)
    self.disk = configuration.usesCache ? disk : nil
  }

  /// Whether no server is asked afterwards about what came from the disk.
  var isRefresherIdle: Bool { refresher.isIdle }

  func mayBeOnDisk(_ link: HTTPLink) -> Bool { disk != nil && HTTPCache.mayKeep(link.url) }

  /// What is kept on the disk of that address goes.
  func drop(_ url: String) { disk?.drop(url) }

  /// Looks for a job's picture on the disk.
  func read(
    _ job: UInt64, _ link: HTTPLink, ended: @escaping @MainActor (ImageFetch.Found) -> Void
  ) {
    let fetch = fetch(of: link)
    tasks[job] = Task.detached(executorPreference: Self.threads) { [weak self] in
      let found = await fetch.find { [weak self] in await self?.onReport?(job, $0) }
      await self?.end(job) {
        if case .bytes(_, false) = found { self?.refresher.refresh(fetch) }
        ended(found)
      }
    }
  }

  /// Fetches a job's picture.
  func fetch(
    _ job: UInt64, _ link: HTTPLink, priority: TaskPriority,
    ended: @escaping @MainActor (Result<[UInt8], ImageFetch.Failure>) -> Void
  ) {
    let fetch = fetch(of: link)
    tasks[job] = Task.detached(executorPreference: Self.threads, priority: priority) {
      [weak self] in
      let result: Result<[UInt8], ImageFetch.Failure>
      do throws(ImageFetch.Failure) {
        result = .success(
          try await fetch.run { [weak self] in await self?.onReport?(job, $0) })
      } catch {
        result = .failure(error)
      }
      await self?.end(job) { ended(result) }
    }
  }

  func stop(_ job: UInt64) { tasks.removeValue(forKey: job)?.cancel() }

  func stopAll() {
    refresher.stop()
    for task in tasks.values { task.cancel() }
  }

  private func end(_ job: UInt64, _ tell: @MainActor () -> Void) {
    tasks[job] = nil
    tell()
  }

  private func fetch(of link: HTTPLink) -> ImageFetch {
    ImageFetch(
      link: link, transport: transport, decoder: decoder, configuration: configuration,
      cache: mayBeOnDisk(link) ? disk : nil)
  }
}

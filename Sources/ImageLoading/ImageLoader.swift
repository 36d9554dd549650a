import HTTP
import HTTPCache
import Pixels

/// Fetches and decodes pictures for rows that come and go.
///
///     load → ImageQueue → ImageFetcher (disk, transport, header) → decoder → memory → handlers
///            main actor    worker threads                          worker    main actor
///
/// `ImageQueue` decides which picture takes its next step; an `ImageJob` is the picture under way.
///
/// 1. Requests with equal URL and reach share one fetch. Pixels are kept by URL alone: showing them
///    sends nothing, so reach does not matter.
/// 2. A handler is never called before `load` returns, nor after `cancel()`.
/// 3. A transient failure is retried. A permanent one is remembered and reported at once by later
///    loads, until ``tryAgain(_:reach:)``.
/// 4. There is one timer while a picture waits for its retry, and none otherwise.
@MainActor public final class ImageLoader {
  /// Limits, cache sizes and retry rules.
  public let configuration: ImageLoaderConfiguration
  /// Called when `activity` has changed.
  public var onActivityChange: (@MainActor (ImageActivity) -> Void)? {
    get { record.onActivityChange }
    set { record.onActivityChange = newValue }
  }
  /// Called when a request has joined a fetch under way, or has another priority.
  package var onRequestChange: (@MainActor () -> Void)? {
    get { record.onRequestChange }
    set { record.onRequestChange = newValue }
  }
  /// Called with the URL of a picture when an attempt has failed and another will be made later.
  package var onPostponed: (@MainActor (String) -> Void)?
  /// Called at every step of every picture.
  public var onTrace: (@MainActor (ImageTraceEvent) -> Void)? {
    get { record.onTrace }
    set { record.onTrace = newValue }
  }

  private let fetcher: ImageFetcher
  private let refresher: ImageRevalidator
  private let decoding: ImageDecodeService
  private var queue: ImageQueue
  /// Exactly the jobs of the queue.
  private var jobs: [HTTPLink: ImageJob] = [:]
  private var nextRequestID: UInt64 = 1
  private var memory: ImageMemoryCache
  private let retries: RetrySchedule
  private let record = ImageWorkRecorder()
  /// Counts of the work so far.
  package var statistics: ImageLoaderStatistics { record.statistics }
  /// The gate at which arrivals can be held, to be admitted one by one.
  package private(set) lazy var gate = ArrivalGate(
    isWanted: { [weak self] id in self?.queue.job(id) != nil },
    didHold: { [weak self] in
      guard let self else { return }
      onActivityChange?(activity)
    })

  /// Admits an arrival that the gate holds: the oldest of the picture at `url` if there is one,
  /// else the oldest of all.
  ///
  /// - Returns: false if none is held.
  /// - Complexity: O(n) in the pictures under way and the arrivals held.
  package func admitNext(preferring url: String?) -> Bool {
    gate.admitNext(of: url.flatMap { url in queue.jobs.first { $0.value.url == url }?.key })
  }

  /// Creates a loader that fetches with `transport` and decodes with `decoder`, within the limits
  /// of `configuration`.
  ///
  /// - Parameter disk: the cache for fetched responses; none by default.
  public convenience init(
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(),
    transport: any HTTPTransport, decoder: any ImageDecoder, disk: HTTPCache? = nil
  ) {
    self.init(
      configuration: configuration, transport: transport, decoder: decoder, disk: disk,
      clock: SystemLoaderClock())
  }

  /// - Parameters:
  ///   - clock: determines when retries are due.
  ///   - random: varies their delays within the bounds.
  package init(
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(),
    transport: any HTTPTransport, decoder: any ImageDecoder, disk: HTTPCache? = nil,
    clock: any LoaderClock,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    retries = RetrySchedule(configuration.retries, clock: clock, random: random)
    self.configuration = configuration
    fetcher = ImageFetcher(
      transport: transport, decoder: decoder, configuration: configuration, disk: disk)
    refresher = ImageRevalidator(fetcher)
    decoding = ImageDecodeService(decoder: decoder, configuration: configuration)
    queue = ImageQueue(limits: ImageQueue.Limits(configuration))
    memory = ImageMemoryCache(configuration)
    retries.onDue = { [weak self] in self?.retryDue() }
  }

  /// A separate loader with the same transport, decoder and disk cache, but another box: for
  /// pictures that are viewed one by one.
  ///
  /// - Parameters:
  ///   - target: the box that pictures are decoded to fit.
  ///   - memory: bytes of pixels that it keeps.
  public func decoding(toFit target: PixelSize, keeping memory: Int) -> ImageLoader {
    var configuration = configuration
    configuration.decodeTarget = target
    configuration.memoryCacheBytes = memory
    configuration.memoryCacheCount = nil
    configuration.maximumConcurrentDecodes = 1
    let loader = ImageLoader(
      configuration: configuration, transport: fetcher.transport, decoder: fetcher.decoder,
      disk: fetcher.disk)
    loader.onTrace = onTrace
    return loader
  }

  isolated deinit {
    retries.stop()
    refresher.stop()
    for job in jobs.values { job.stop() }
  }

  // MARK: Interface for callers

  /// The picture, of any size, if its pixels are in memory; always `nil` if the configuration uses
  /// no cache.
  ///
  /// - Complexity: O(1).
  public func cachedImage(for url: String) -> LoadedImage? {
    guard let image = memory.image(for: url) else { return nil }
    record.note(.memoryHit, url, .visible, bytes: image.pixels.byteCount)
    return image
  }

  /// The picture's own size if it is remembered from its header
  /// (``ImageLoaderConfiguration/maximumKnownSizes``); its pixels may be gone.
  ///
  /// - Complexity: O(1).
  public func knownSize(of url: String) -> PixelSize? {
    memory.size(of: url)
  }

  /// The reason why the picture cannot be loaded, if known: a load reports it without a request.
  ///
  /// - Complexity: O(1).
  public func knownFailure(
    of url: String, reach: RequestScope = .publicAddresses
  ) -> ImageError? {
    guard case .failed(let error) = retries.state(of: HTTPLink(url, reach: reach))
    else { return nil }
    return error
  }

  /// Whether the last attempt has failed and a request still waits for the retry.
  ///
  /// - Complexity: O(1).
  public func isWaiting(_ url: String, reach: RequestScope = .publicAddresses) -> Bool {
    let link = HTTPLink(url, reach: reach)
    return queue.job(of: link)?.job.phase == .waiting
  }

  /// Whether an attempt has failed and more will be made: the picture may arrive late or never.
  ///
  /// - Complexity: O(1).
  package func isBeingRetried(_ url: String, reach: RequestScope = .publicAddresses) -> Bool {
    retries.isBeingRetried(HTTPLink(url, reach: reach))
  }

  /// Forgets that the picture has failed: the next `load` fetches it, or it is fetched at once if
  /// it waits for a retry.
  ///
  /// - Complexity: O(n) in the pictures under way if one waits, else O(1).
  public func tryAgain(_ url: String, reach: RequestScope = .publicAddresses) {
    let link = HTTPLink(url, reach: reach)
    retries.forget(link)
    fetcher.disk?.drop(url)
    memory.removeDamaged(url)
    if let job = queue.job(of: link) { perform(queue.resume(job.id)) }
  }

  /// The reason why a loaded picture is incomplete; `nil` if it is complete.
  ///
  /// - Complexity: O(1).
  public func damage(of url: String) -> ImageError? { memory.damage(of: url) }

  /// Requests a picture by its http, https or `data:` URL. A cached picture is delivered by an
  /// event as well; call `cachedImage(for:)` first to show it at once.
  ///
  /// - Parameters:
  ///   - reach: the reach that the source of the URL gives it; only public addresses by default.
  ///   - box: the pixels in which it will be shown; the configuration's `decodeTarget` if `nil`. A
  ///     picture in memory with fewer pixels is decoded again.
  /// - Complexity: O(1) if it is in memory or known to fail, else O(n) in the pictures under way.
  @discardableResult
  public func load(
    _ url: String, reach: RequestScope = .publicAddresses, priority: ImagePriority = .visible,
    fitting box: PixelSize? = nil, onEvent: @escaping @MainActor (ImageEvent) -> Void
  ) -> ImageRequest {
    let link = HTTPLink(url, reach: reach)
    let request = ImageRequest(
      id: nextRequestID, link: link, priority: priority, box: box, loader: self, handler: onEvent)
    nextRequestID += 1
    if let image = cachedImage(for: url), decoding.suffices(image, for: box) {
      Task { @MainActor in request.report(.image(image)) }
    } else if let failure = knownFailure(of: url, reach: reach) {
      Task { @MainActor in request.report(.failure(failure)) }
    } else {
      if jobs[link] == nil {
        jobs[link] = ImageJob()
        record.note(.queued, url, priority)
      } else {
        record.noteJoined()
      }
      jobs[link]?.add(request)
      perform(
        queue.add(request.id, url: url, reach: reach, priority: priority, from: start(of: link)),
        isLoading: true)
    }
    return request
  }

  private func start(of link: HTTPLink) -> ImageQueue.Start {
    if case .waiting = retries.state(of: link) { return .waiting }
    return fetcher.cache(for: link) == nil ? .network : .disk
  }

  /// The current work.
  public var activity: ImageActivity { queue.activity }

  /// Whether nothing is under way, and no picture from the disk is being revalidated.
  package var isQuiet: Bool { activity.isIdle && refresher.isIdle }

  /// Every picture under way, in the order in which they were first requested.
  ///
  /// - Complexity: O(n log n + n · h) in the n pictures under way and the h arrivals held.
  package var fetchStatuses: [ImageFetchStatus] {
    let now = ContinuousClock.now
    return queue.jobs.map { id, job in
      let age = record.age(of: job.url, at: now)
      return (id, ImageFetchStatus(job, isHeld: gate.holds(id), age: age))
    }
    .sorted { ($1.1.age, $0.0) < ($0.1.age, $1.0) }
    .map(\.1)
  }

  /// Bytes of pixels in the memory cache, and of addresses longer than 8,192 bytes.
  public var cachedBytes: Int { memory.bytes }

  /// Pictures in the memory cache.
  public var cachedCount: Int { memory.count }

  /// Removes all pixels; sizes stay known.
  ///
  /// - Complexity: O(pictures).
  public func removeCachedImages() { memory.removeImages() }

  // MARK: Interface for requests

  func setPriority(_ priority: ImagePriority, of request: UInt64) {
    queue.setPriority(priority, of: request)
    record.notePriority()
  }

  func cancel(_ request: ImageRequest) {
    jobs[request.link]?.remove(request)
    perform(queue.cancel(request.id))
  }

  // MARK: Performing the queue's actions

  /// - Parameter isLoading: whether `load` has not returned its request yet.
  private func perform(_ actions: [ImageQueue.Action], isLoading: Bool = false) {
    for action in actions {
      switch action {
      case .read(let id): read(id)
      case .fetch(let id): fetch(id)
      case .stop(_, let link, let priority, let bytes, let requeued):
        jobs[link]?.stop()
        // A job that never began has nothing to cancel, but its trace must end.
        if requeued {
          record.noteRestart(link.url, priority, bytes: bytes)
        } else {
          jobs[link] = nil
          record.note(.cancelled, link.url, priority, bytes: bytes)
        }
      case .decode(let id): decode(id)
      case .announce(let size, let link, let requests) where isLoading:
        Task { @MainActor in self.jobs[link]?.report(.size(size), to: requests) }
      case .announce(let size, let link, let requests):
        jobs[link]?.report(.size(size), to: requests)
      case .finish(_, let link, let priority, let bytes, let requests):
        finish(link, priority, bytes, requests)
      }
    }
    if retries.isArmed || queue.count(.waiting) > 0 {
      retries.arrange(for: queue.waiting.lazy.map(\.link))
    }
    record.note(activity)
  }

  private func retryDue() {
    for (id, link) in Array(queue.waiting) {
      if case .waiting = retries.state(of: link) { continue }
      perform(queue.resume(id))
    }
    retries.arrange(for: queue.waiting.lazy.map(\.link))
  }

  private func read(_ id: UInt64) {
    guard let link = queue.job(id)?.link else { return }
    jobs[link]?.transfer { [weak self, fetcher] in
      let found = await fetcher.find(link) { [weak self] in await self?.receive(id, $0) }
      await self?.readEnded(id, link, found)
    }
  }

  private func readEnded(_ id: UInt64, _ link: HTTPLink, _ found: ImageFetcher.Found) {
    if case .bytes(_, isFresh: false) = found { refresher.refresh(link) }
    guard queue.job(id) != nil else { return }
    switch found {
    case .nothing: perform(queue.missed(id))
    case .bytes(let bytes, _): fetched(id, link, ImageJob.Body(bytes: bytes))
    case .failure(let error):
      _ = retries.failed(link, error, asked: nil)
      gate.pass(id) { [weak self] in self?.ended(id, .failure(error)) }
    }
  }

  private func fetch(_ id: UInt64) {
    guard let job = queue.job(id) else { return }
    record.note(.started, job.url, job.priority)
    let priority: TaskPriority = job.priority == .visible ? .userInitiated : .utility
    jobs[job.link]?.transfer(priority: priority) { [weak self, fetcher] in
      let result: Result<[UInt8], ImageFetcher.Failure>
      do throws(ImageFetcher.Failure) {
        result = .success(
          try await fetcher.run(job.link) { [weak self] in await self?.receive(id, $0) })
      } catch {
        result = .failure(error)
      }
      await self?.fetchEnded(id, result)
    }
  }

  private func receive(_ id: UInt64, _ report: ImageFetcher.Report) {
    guard let job = queue.job(id) else { return }
    switch report {
    case .diskHit: record.note(.diskHit, job.url, job.priority)
    case .revalidated: record.note(.revalidated, job.url, job.priority)
    case .received(let total, let expected):
      perform(queue.received(id, total: total, expected: expected))
    case .size(let size):
      gate.pass(id) { [weak self] in self?.sizeArrived(id, size) }
    }
  }

  private func sizeArrived(_ id: UInt64, _ size: PixelSize) {
    guard let job = queue.job(id) else { return }
    decoding.prepare()
    memory.note(size, of: job.url)
    record.note(.header, job.url, job.priority, bytes: job.held)
    perform(queue.sizeKnown(id, size))
  }

  private func fetchEnded(_ id: UInt64, _ result: Result<[UInt8], ImageFetcher.Failure>) {
    guard let job = queue.job(id) else { return }
    switch result {
    case .success(let bytes): fetched(id, job.link, ImageJob.Body(bytes: bytes))
    case .failure(let failure):
      let next = retries.failed(job.link, failure.error, asked: failure.retryDelay)
      guard case .waiting = next else {
        if let partial = failure.partial {
          return fetched(
            id, job.link, ImageJob.Body(bytes: partial, damage: failure.error))
        }
        return gate.pass(id) { [weak self] in self?.ended(id, .failure(failure.error)) }
      }
      record.note(.retried, job.url, job.priority, bytes: job.held)
      let url = job.url
      perform(queue.postpone(id))
      onPostponed?(url)
    }
  }

  private func fetched(_ id: UInt64, _ link: HTTPLink, _ body: ImageJob.Body) {
    jobs[link]?.keep(body)
    perform(queue.fetched(id, bytes: body.bytes.count))
  }

  private func decode(_ id: UInt64) {
    guard let job = queue.job(id) else { return }
    jobs[job.link]?.decode(by: decoding, size: job.size) { [weak self] in self?.decoded(id, $0) }
  }

  private func decoded(_ id: UInt64, _ result: Result<LoadedImage, ImageError>) {
    guard let job = queue.job(id) else { return }
    switch result {
    case .success(let image):
      retries.forget(job.link)
      if image.damage != nil { fetcher.disk?.drop(job.url) }
    case .failure(let error):
      _ = retries.failed(job.link, error, asked: nil)
      // A body that broke off without notice is not kept either.
      fetcher.disk?.drop(job.url)
    }
    gate.pass(id) { [weak self] in self?.ended(id, result) }
  }

  private func ended(_ id: UInt64, _ outcome: Result<LoadedImage, ImageError>) {
    guard let link = queue.job(id)?.link else { return }
    jobs[link]?.end(outcome)
    perform(queue.ended(id))
  }

  private func finish(
    _ link: HTTPLink, _ priority: ImagePriority, _ bytes: Int, _ requests: [UInt64]
  ) {
    guard let job = jobs.removeValue(forKey: link), let outcome = job.outcome else { return }
    let event: ImageEvent
    switch outcome {
    case .success(let image):
      memory.keep(image, for: link.url)
      record.note(.done, link.url, priority, bytes: bytes)
      event = .image(image)
    case .failure(let error):
      record.note(.failed, link.url, priority, bytes: bytes)
      event = .failure(error)
    }
    job.report(event, to: requests)
  }
}

import Caches
import Dispatch
import HTTP
import Pixels

/// Fetches and decodes pictures for rows that come and go.
///
///     load → ImageQueue → ImageFetch (transport, header) → decoder → cache → handlers
///            main actor    off it                          off it    main actor
///
/// 1. Equal URLs are one fetch for each reach, whatever number of requests waits for it. Pixels are kept
///    by URL: what is in memory shows whoever names it, since nothing is sent for it.
/// 2. A handler is never called before `load` returns, nor after `cancel()`.
/// 3. Nothing that failed is remembered: another load tries again.
@MainActor public final class ImageLoader {
  /// The bounds it was made with.
  public let configuration: ImageLoaderConfiguration
  /// Called when `activity` has changed.
  public var onActivityChange: (@MainActor (ImageActivity) -> Void)?
  /// Called at every step of every picture.
  public var onTrace: (@MainActor (ImageTraceEvent) -> Void)?

  private typealias Handler = @MainActor (ImageEvent) -> Void

  private let transport: any HTTPTransport
  private let decoder: any ImageDecoder
  /// Serial queues at rest, at most as many as pictures are decoded at once. Not one concurrent
  /// queue: on Linux its threads are watched by a timer that never ends.
  private var decodeQueues: [DispatchQueue] = []
  private var queue: ImageQueue
  private var handlers: [UInt64: Handler] = [:]
  private var fetches: [UInt64: Task<Void, Never>] = [:]
  private var bodies: [UInt64: [UInt8]] = [:]
  private var outcomes: [UInt64: Result<LoadedImage, ImageError>] = [:]
  private var cache: LRUCache<String, LoadedImage>
  private var sizes: LRUCache<String, PixelSize>
  private var nextRequestID: UInt64 = 1
  private var nextImageID: UInt64 = 1
  private var lastActivity = ImageActivity()
  /// When each URL under way was first asked for.
  private var askedAt: [String: ContinuousClock.Instant] = [:]
  /// What was done so far.
  package private(set) var statistics = ImageLoaderStatistics()
  /// Where arrivals can be held back, to be looked at one by one.
  package private(set) lazy var gate = ArrivalGate(
    isWanted: { [weak self] id in self?.queue.job(id) != nil },
    didHold: { [weak self] in
      guard let self else { return }
      onActivityChange?(queue.activity)
    })

  /// A loader that fetches by `transport` and decodes by `decoder`, within these bounds.
  public init(
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(),
    transport: any HTTPTransport, decoder: any ImageDecoder
  ) {
    self.configuration = configuration
    self.transport = transport
    self.decoder = decoder
    var limits = ImageQueue.Limits()
    limits.fetches = max(1, configuration.maximumConcurrentFetches)
    limits.decodes = max(1, configuration.maximumConcurrentDecodes)
    limits.bytes = configuration.maximumBytesInFlight
    limits.bytesPerImage = configuration.fetchLimits.maximumBytes
    limits.assumedBytes = min(limits.assumedBytes, limits.bytesPerImage)
    queue = ImageQueue(limits: limits)
    cache = LRUCache(
      maximumCost: configuration.memoryCacheBytes,
      maximumCount: configuration.memoryCacheCount ?? .max,
      evictionBatch: configuration.memoryCacheEvictionBatch)
    sizes = LRUCache(maximumCount: configuration.maximumKnownSizes)
  }

  isolated deinit {
    for fetch in fetches.values { fetch.cancel() }
  }

  // MARK: What callers use

  /// The picture, if its pixels are in memory; always nil where the configuration uses no cache.
  ///
  /// - Complexity: O(1).
  public func cachedImage(for url: String) -> LoadedImage? {
    guard let image = cache.value(for: url) else { return nil }
    statistics.memoryHits += 1
    trace(url, .memoryHit, .visible, image.pixels.byteCount)
    return image
  }

  /// The picture's own size, if its header was ever seen, though its pixels may be gone.
  ///
  /// - Complexity: O(1).
  public func knownSize(of url: String) -> PixelSize? {
    sizes.value(for: url)
  }

  /// Asks for a picture by its http, https or `data:` URL. A cached one comes by an event as well;
  /// ask `cachedImage(for:)` first to show it at once.
  ///
  /// - Parameter reach: how far whoever names it may lead; to public addresses alone by default.
  /// - Complexity: O(n) in the pictures under way where its fetch can begin, else O(1).
  @discardableResult
  public func load(
    _ url: String, reach: HTTPReach = .publicAddresses, priority: ImagePriority = .visible,
    onEvent: @escaping @MainActor (ImageEvent) -> Void
  ) -> ImageRequest {
    let id = nextRequestID
    nextRequestID += 1
    handlers[id] = onEvent
    if let image = cachedImage(for: url) {
      Task { @MainActor in self.end(id, .image(image)) }
    } else {
      let isNew = queue.job(of: HTTPLink(url, reach: reach)) == nil
      let actions = queue.add(id, url: url, reach: reach, priority: priority)
      if isNew {
        askedAt[url] = .now
        trace(url, .queued, priority, 0)
      }
      perform(actions, isLoading: true)
    }
    return ImageRequest(id: id, url: url, priority: priority, loader: self)
  }

  /// What is under way.
  public var activity: ImageActivity { queue.activity }

  /// Every picture under way, in the order in which they were asked for.
  ///
  /// - Complexity: O(n log n) in the pictures under way.
  package var fetchStatuses: [ImageFetchStatus] {
    let now = ContinuousClock.now
    return queue.jobs.map { id, job in
      return (
        id,
        ImageFetchStatus(
          url: job.url, phase: job.phase, isHeld: gate.holds(id), priority: job.priority,
          requests: job.requests.count, bytes: job.held,
          age: (askedAt[job.url] ?? now).duration(to: now))
      )
    }
    .sorted { ($1.1.age, $0.0) < ($0.1.age, $1.0) }
    .map(\.1)
  }

  /// Bytes of pixels in the memory cache.
  public var cachedBytes: Int { cache.totalCost }

  /// Pictures in the memory cache.
  public var cachedCount: Int { cache.count }

  /// Forgets all pixels; sizes stay known.
  ///
  /// - Complexity: O(pictures).
  public func removeCachedImages() { cache.removeAll() }

  // MARK: What requests use

  func setPriority(_ priority: ImagePriority, of request: UInt64) {
    queue.setPriority(priority, of: request)
  }

  func cancel(_ request: UInt64) {
    guard handlers.removeValue(forKey: request) != nil else { return }
    perform(queue.cancel(request))
  }

  // MARK: Performing what the queue decides

  /// - Parameter isLoading: whether the caller of `load` has not got its request yet.
  private func perform(_ actions: [ImageQueue.Action], isLoading: Bool = false) {
    for action in actions {
      switch action {
      case .fetch(let id):
        fetch(id)
      case .stop(let id, let url, let priority, let bytes, let requeued):
        fetches.removeValue(forKey: id)?.cancel()
        bodies[id] = nil
        // A job that never began has nothing to cancel, but its trace must end.
        trace(url, .cancelled, priority, bytes)
        if requeued {
          trace(url, .queued, priority, 0)
        } else {
          askedAt[url] = nil
          statistics.cancelled += 1
        }
      case .decode(let id):
        decode(id)
      case .announce(let size, let requests) where isLoading:
        Task { @MainActor in self.announce(size, to: requests) }
      case .announce(let size, let requests):
        announce(size, to: requests)
      case .finish(let id, let url, let priority, let bytes, let requests):
        finish(id, url, priority, bytes, requests)
      }
    }
    let now = queue.activity
    if now != lastActivity {
      lastActivity = now
      onActivityChange?(now)
    }
  }

  private func fetch(_ id: UInt64) {
    guard let job = queue.job(id) else { return }
    trace(job.url, .started, job.priority, 0)
    let fetch = ImageFetch(
      link: job.link, transport: transport, decoder: decoder, configuration: configuration)
    let priority: TaskPriority = job.priority == .visible ? .userInitiated : .utility
    fetches[id] = Task.detached(priority: priority) { [weak self] in
      let result: Result<[UInt8], ImageError>
      do throws(ImageError) {
        result = .success(
          try await fetch.run { [weak self] report in await self?.receive(id, report) })
      } catch {
        result = .failure(error)
      }
      await self?.fetchEnded(id, result)
    }
  }

  private func receive(_ id: UInt64, _ report: ImageFetch.Report) {
    guard queue.job(id) != nil else { return }
    switch report {
    case .received(let total, let expected):
      perform(queue.received(id, total: total, expected: expected))
    case .size(let size):
      gate.pass(id) { [weak self] in self?.sizeArrived(id, size) }
    }
  }

  private func sizeArrived(_ id: UInt64, _ size: PixelSize) {
    guard let job = queue.job(id) else { return }
    sizes.insert(size, for: job.url)
    trace(job.url, .header, job.priority, job.held)
    perform(queue.sizeKnown(id, size))
  }

  private func fetchEnded(_ id: UInt64, _ result: Result<[UInt8], ImageError>) {
    fetches[id] = nil
    guard queue.job(id) != nil else { return }
    switch result {
    case .success(let bytes):
      bodies[id] = bytes
      perform(queue.fetched(id, bytes: bytes.count))
    case .failure(let error):
      gate.pass(id) { [weak self] in self?.ended(id, .failure(error)) }
    }
  }

  private func decode(_ id: UInt64) {
    guard let job = queue.job(id), let bytes = bodies.removeValue(forKey: id) else { return }
    let decoder = self.decoder
    let box = configuration.decodeTarget
    let limits = configuration.imageLimits
    let known = job.size
    let imageID = nextImageID
    nextImageID += 1
    let decodeQueue =
      decodeQueues.popLast() ?? DispatchQueue(label: "tideline.decode", qos: .utility)
    decodeQueue.async { [weak self] in
      let result: Result<LoadedImage, ImageError>
      do throws(ImageError) {
        let pixels = try decoder.decode(bytes, fitting: box, limits: limits)
        result = .success(LoadedImage(id: imageID, size: known ?? pixels.size, pixels: pixels))
      } catch {
        result = .failure(error)
      }
      Task { @MainActor in
        self?.decodeQueues.append(decodeQueue)
        self?.gate.pass(id) { [weak self] in self?.ended(id, result) }
      }
    }
  }

  private func ended(_ id: UInt64, _ result: Result<LoadedImage, ImageError>) {
    outcomes[id] = result
    perform(queue.ended(id))
  }

  private func finish(
    _ id: UInt64, _ url: String, _ priority: ImagePriority, _ bytes: Int, _ requests: [UInt64]
  ) {
    guard let outcome = outcomes.removeValue(forKey: id) else { return }
    askedAt[url] = nil
    let event: ImageEvent
    switch outcome {
    case .success(let image):
      if configuration.usesCache {
        cache.insert(image, for: url, cost: image.pixels.byteCount)
      }
      statistics.done += 1
      trace(url, .done, priority, bytes)
      event = .image(image)
    case .failure(let error):
      statistics.failed += 1
      trace(url, .failed, priority, bytes)
      event = .failure(error)
    }
    for request in requests { end(request, event) }
  }

  // MARK: Telling

  /// Each handler is looked up when its turn comes: one of them may cancel another.
  private func announce(_ size: PixelSize, to requests: [UInt64]) {
    for request in requests { handlers[request]?(.size(size)) }
  }

  private func end(_ request: UInt64, _ event: ImageEvent) {
    handlers.removeValue(forKey: request)?(event)
  }

  private func trace(
    _ url: String, _ state: ImageTraceEvent.State, _ priority: ImagePriority, _ bytes: Int
  ) {
    guard let onTrace else { return }
    let shown = DataURL.isDataURL(url) ? String(url.prefix(64)) : url
    onTrace(ImageTraceEvent(url: shown, state: state, priority: priority, bytes: bytes))
  }
}

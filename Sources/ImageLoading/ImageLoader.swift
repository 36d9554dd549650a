import HTTP
import HTTPCache
import Pixels

/// Fetches and decodes pictures for rows that come and go.
///
///     load → ImageQueue → ImageFetch (disk, transport, header) → decoder → cache → handlers
///            main actor    off it                                off it    main actor
///
/// 1. Equal URLs are one fetch for each reach, whatever number of requests waits for it. Pixels are
///    kept by URL: what is in memory shows whoever names it, since nothing is sent for it.
/// 2. A handler is never called before `load` returns, nor after `cancel()`.
/// 3. What failed for now is tried again by itself, what failed for good is remembered:
///    loading it says so at once, until ``tryAgain(_:reach:)``.
/// 4. While something waits to be tried again there is one timer, otherwise none.
@MainActor public final class ImageLoader {
  /// The bounds it was made with.
  public let configuration: ImageLoaderConfiguration
  /// Called when `activity` has changed.
  public var onActivityChange: (@MainActor (ImageActivity) -> Void)?
  /// Called with the URL of a picture when a try has failed and another is to be made later.
  package var onPostponed: (@MainActor (String) -> Void)?
  /// Called at every step of every picture.
  public var onTrace: (@MainActor (ImageTraceEvent) -> Void)? {
    get { record.onTrace }
    set { record.onTrace = newValue }
  }

  private let transfers: ImageTransfers
  private let transport: any HTTPTransport
  private let disk: HTTPCache?
  private let decoder: any ImageDecoder
  private let decodes: ImageDecodes
  private var queue: ImageQueue
  private let handlers = ImageHandlers()
  private var bodies: [UInt64: ImageDecodes.Body] = [:]
  private var outcomes: [UInt64: Result<LoadedImage, ImageError>] = [:]
  private var memory: ImageMemory
  private let retries: RetrySchedule
  private var lastActivity = ImageActivity()
  private let record = ImageRecord()
  /// What was done so far.
  package var statistics: ImageLoaderStatistics { record.statistics }
  /// Where arrivals can be held back, to be looked at one by one.
  package private(set) lazy var gate = ArrivalGate(
    isWanted: { [weak self] id in self?.queue.job(id) != nil },
    didHold: { [weak self] in
      guard let self else { return }
      onActivityChange?(queue.activity)
    })

  /// A loader that fetches by `transport` and decodes by `decoder`, within these bounds.
  ///
  /// - Parameter disk: where what was fetched is kept for the next time; nowhere by default.
  public convenience init(
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(),
    transport: any HTTPTransport, decoder: any ImageDecoder, disk: HTTPCache? = nil
  ) {
    self.init(
      configuration: configuration, transport: transport, decoder: decoder, disk: disk,
      clock: SystemLoaderClock())
  }

  /// - Parameters:
  ///   - clock: when retries are due.
  ///   - random: how long within their bounds their waits are.
  package init(
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(),
    transport: any HTTPTransport, decoder: any ImageDecoder, disk: HTTPCache? = nil,
    clock: any LoaderClock,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    retries = RetrySchedule(configuration.retries, clock: clock, random: random)
    self.configuration = configuration
    (self.transport, self.disk, self.decoder) = (transport, disk, decoder)
    decodes = ImageDecodes(decoder: decoder, configuration: configuration)
    transfers = ImageTransfers(
      transport: transport, decoder: decoder, configuration: configuration, disk: disk)
    queue = ImageQueue(limits: ImageQueue.Limits(configuration))
    memory = ImageMemory(configuration)
    transfers.onReport = { [weak self] id, report in self?.receive(id, report) }
    retries.onDue = { [weak self] in self?.retryDue() }
  }

  /// A loader of its own that fetches and decodes by the same means, but for another box: for
  /// pictures that are looked at one by one. What this one keeps on disk it finds there, too.
  ///
  /// - Parameters:
  ///   - target: the box pictures are decoded to fit.
  ///   - memory: bytes of pixels it keeps.
  public func decoding(toFit target: PixelSize, keeping memory: Int) -> ImageLoader {
    var configuration = configuration
    configuration.decodeTarget = target
    configuration.memoryCacheBytes = memory
    configuration.memoryCacheCount = nil
    configuration.maximumConcurrentDecodes = 1
    let loader = ImageLoader(
      configuration: configuration, transport: transport, decoder: decoder, disk: disk)
    loader.onTrace = onTrace
    return loader
  }

  isolated deinit {
    retries.stop()
    transfers.stopAll()
    decodes.stopAll()
  }

  // MARK: What callers use

  /// The picture, if its pixels are in memory, of whatever size; always nil where the configuration
  /// uses no cache.
  ///
  /// - Complexity: O(1).
  public func cachedImage(for url: String) -> LoadedImage? {
    guard let image = memory.image(for: url) else { return nil }
    record.note(.memoryHit, url, .visible, bytes: image.pixels.byteCount)
    return image
  }

  /// The picture's own size, if its header was ever seen, though its pixels may be gone.
  ///
  /// - Complexity: O(1).
  public func knownSize(of url: String) -> PixelSize? {
    memory.size(of: url)
  }

  /// Why the picture cannot be had, where that is known: asking for it says so without a request.
  ///
  /// - Complexity: O(1).
  public func knownFailure(
    of url: String, reach: HTTPReach = .publicAddresses
  ) -> ImageError? {
    guard case .failed(let error) = retries.state(of: HTTPLink(url, reach: reach))
    else { return nil }
    return error
  }

  /// Whether it has failed and is to be tried again by itself.
  ///
  /// - Complexity: O(1).
  public func isWaiting(_ url: String, reach: HTTPReach = .publicAddresses) -> Bool {
    let link = HTTPLink(url, reach: reach)
    return queue.job(of: link)?.job.phase == .waiting
  }

  /// Whether a try has failed and more are made: it may take long to come, if it comes.
  ///
  /// - Complexity: O(1).
  package func isTriedAgain(_ url: String, reach: HTTPReach = .publicAddresses) -> Bool {
    retries.isTriedAgain(HTTPLink(url, reach: reach))
  }

  /// Forgets that the picture has failed: it is asked for by the next `load`, or at once where
  /// somebody waits for it to be tried again.
  ///
  /// - Complexity: O(n) in the pictures under way where one waits, else O(1).
  public func tryAgain(_ url: String, reach: HTTPReach = .publicAddresses) {
    let link = HTTPLink(url, reach: reach)
    retries.forget(link)
    transfers.drop(url)
    memory.forgetDamaged(url)
    if let job = queue.job(of: link) { perform(queue.resume(job.id)) }
  }

  /// Why there is not all of a picture that was loaded; nil where there is.
  ///
  /// - Complexity: O(1).
  public func damage(of url: String) -> ImageError? { memory.damage(of: url) }

  /// Asks for a picture by its http, https or `data:` URL. A cached one comes by an event as well;
  /// ask `cachedImage(for:)` first to show it at once.
  ///
  /// - Parameters:
  ///   - reach: how far whoever names it may lead; to public addresses alone by default.
  ///   - box: the pixels it is to be shown in; the configuration's `decodeTarget` where that is
  ///     nil. What is in memory with fewer is decoded again.
  /// - Complexity: O(n) in the pictures under way where its fetch can begin, else O(1).
  @discardableResult
  public func load(
    _ url: String, reach: HTTPReach = .publicAddresses, priority: ImagePriority = .visible,
    fitting box: PixelSize? = nil, onEvent: @escaping @MainActor (ImageEvent) -> Void
  ) -> ImageRequest {
    let id = handlers.add(onEvent)
    if let image = cachedImage(for: url), decodes.suffices(image, for: box) {
      Task { @MainActor in self.end(id, .image(image)) }
    } else if let failure = knownFailure(of: url, reach: reach) {
      Task { @MainActor in self.end(id, .failure(failure)) }
    } else {
      decodes.setBox(box, of: id)
      let link = HTTPLink(url, reach: reach)
      let isNew = queue.job(of: link) == nil
      let actions = queue.add(
        id, url: url, reach: reach, priority: priority, from: start(of: link))
      if isNew { record.note(.queued, url, priority) }
      perform(actions, isLoading: true)
    }
    return ImageRequest(id: id, url: url, priority: priority, box: box, loader: self)
  }

  private func start(of link: HTTPLink) -> ImageQueue.Start {
    if case .waiting = retries.state(of: link) { return .waiting }
    return transfers.mayBeOnDisk(link) ? .disk : .network
  }

  /// What is under way.
  public var activity: ImageActivity { queue.activity }

  /// Whether nothing is under way, and no server is asked afterwards about what came from the disk.
  package var isQuiet: Bool { activity.isIdle && transfers.isRefresherIdle }

  /// Every picture under way, in the order in which they were asked for.
  ///
  /// - Complexity: O(n log n) in the pictures under way.
  package var fetchStatuses: [ImageFetchStatus] {
    let now = ContinuousClock.now
    return queue.jobs.map { id, job in
      let age = record.age(of: job.url, at: now)
      return (id, ImageFetchStatus(job, isHeld: gate.holds(id), age: age))
    }
    .sorted { ($1.1.age, $0.0) < ($0.1.age, $1.0) }
    .map(\.1)
  }

  /// Bytes of pixels in the memory cache.
  public var cachedBytes: Int { memory.bytes }

  /// Pictures in the memory cache.
  public var cachedCount: Int { memory.count }

  /// Forgets all pixels; sizes stay known.
  ///
  /// - Complexity: O(pictures).
  public func removeCachedImages() { memory.removeImages() }

  // MARK: What requests use

  func setPriority(_ priority: ImagePriority, of request: UInt64) {
    queue.setPriority(priority, of: request)
  }

  func setBox(_ box: PixelSize?, of request: UInt64) {
    if handlers.isWaiting(request) { decodes.setBox(box, of: request) }
  }

  func cancel(_ request: UInt64) {
    guard handlers.remove(request) else { return }
    decodes.setBox(nil, of: request)
    perform(queue.cancel(request))
  }

  // MARK: Performing what the queue decides

  /// - Parameter isLoading: whether the caller of `load` has not got its request yet.
  private func perform(_ actions: [ImageQueue.Action], isLoading: Bool = false) {
    for action in actions {
      switch action {
      case .read(let id): read(id)
      case .fetch(let id): fetch(id)
      case .stop(let id, let url, let priority, let bytes, let requeued):
        transfers.stop(id)
        decodes.stop(id)
        bodies[id] = nil
        // A job that never began has nothing to cancel, but its trace must end.
        if requeued {
          record.noteRestart(url, priority, bytes: bytes)
        } else {
          record.note(.cancelled, url, priority, bytes: bytes)
        }
      case .decode(let id): decode(id)
      case .announce(let size, let requests) where isLoading:
        Task { @MainActor in self.handlers.announce(size, to: requests) }
      case .announce(let size, let requests):
        handlers.announce(size, to: requests)
      case .finish(let id, let url, let priority, let bytes, let requests):
        finish(id, url, priority, bytes, requests)
      }
    }
    if retries.isArmed || queue.count(.waiting) > 0 {
      retries.arrange(for: queue.waiting.lazy.map(\.link))
    }
    let now = queue.activity
    if now != lastActivity {
      lastActivity = now
      onActivityChange?(now)
    }
  }

  private func retryDue() {
    for (id, link) in Array(queue.waiting) {
      if case .waiting = retries.state(of: link) { continue }
      perform(queue.resume(id))
    }
    retries.arrange(for: queue.waiting.lazy.map(\.link))
  }

  private func read(_ id: UInt64) {
    guard let job = queue.job(id) else { return }
    transfers.read(id, job.link) { [weak self] in self?.readEnded(id, $0) }
  }

  private func readEnded(_ id: UInt64, _ found: ImageFetch.Found) {
    guard let job = queue.job(id) else { return }
    switch found {
    case .nothing: perform(queue.missed(id))
    case .bytes(let bytes, _):
      bodies[id] = ImageDecodes.Body(bytes: bytes)
      perform(queue.fetched(id, bytes: bytes.count))
    case .failure(let error):
      _ = retries.failed(job.link, error, asked: nil)
      gate.pass(id) { [weak self] in self?.ended(id, .failure(error)) }
    }
  }

  private func fetch(_ id: UInt64) {
    guard let job = queue.job(id) else { return }
    record.note(.started, job.url, job.priority)
    let priority: TaskPriority = job.priority == .visible ? .userInitiated : .utility
    transfers.fetch(id, job.link, priority: priority) { [weak self] in
      self?.fetchEnded(id, $0)
    }
  }

  private func receive(_ id: UInt64, _ report: ImageFetch.Report) {
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
    decodes.prepare()
    memory.note(size, of: job.url)
    record.note(.header, job.url, job.priority, bytes: job.held)
    perform(queue.sizeKnown(id, size))
  }

  private func fetchEnded(_ id: UInt64, _ result: Result<[UInt8], ImageFetch.Failure>) {
    guard let job = queue.job(id) else { return }
    switch result {
    case .success(let bytes):
      bodies[id] = ImageDecodes.Body(bytes: bytes)
      perform(queue.fetched(id, bytes: bytes.count))
    case .failure(let failure):
      let next = retries.failed(job.link, failure.error, asked: failure.retryDelay)
      guard case .waiting = next else {
        if let partial = failure.partial {
          bodies[id] = ImageDecodes.Body(bytes: partial, damage: failure.error)
          return perform(queue.fetched(id, bytes: partial.count))
        }
        return gate.pass(id) { [weak self] in self?.ended(id, .failure(failure.error)) }
      }
      record.note(.retried, job.url, job.priority, bytes: job.held)
      let url = job.url
      perform(queue.postpone(id))
      onPostponed?(url)
    }
  }

  private func decode(_ id: UInt64) {
    guard let job = queue.job(id), let body = bodies.removeValue(forKey: id) else { return }
    decodes.decode(id, job, body) { [weak self] in self?.decoded(id, $0) }
  }

  private func decoded(_ id: UInt64, _ result: Result<LoadedImage, ImageError>) {
    guard let job = queue.job(id) else { return }
    switch result {
    case .success(let image):
      retries.forget(job.link)
      if image.damage != nil { transfers.drop(job.url) }
    case .failure(let error):
      _ = retries.failed(job.link, error, asked: nil)
      // A body that broke off without saying so is not kept either.
      transfers.drop(job.url)
    }
    gate.pass(id) { [weak self] in self?.ended(id, result) }
  }

  private func ended(_ id: UInt64, _ result: Result<LoadedImage, ImageError>) {
    outcomes[id] = result
    perform(queue.ended(id))
  }

  private func finish(
    _ id: UInt64, _ url: String, _ priority: ImagePriority, _ bytes: Int, _ requests: [UInt64]
  ) {
    guard let outcome = outcomes.removeValue(forKey: id) else { return }
    let event: ImageEvent
    switch outcome {
    case .success(let image):
      memory.keep(image, for: url)
      record.note(.done, url, priority, bytes: bytes)
      event = .image(image)
    case .failure(let error):
      record.note(.failed, url, priority, bytes: bytes)
      event = .failure(error)
    }
    for request in requests { end(request, event) }
  }

  private func end(_ request: UInt64, _ event: ImageEvent) {
    decodes.setBox(nil, of: request)
    handlers.end(request, event)
  }
}

import Dispatch
import FoundationEssentials
import HTTP
import Synchronization
import System

/// Responses of servers, kept on disk in a private cache (RFC 9111): fresh ones are used without a
/// request, stale ones once their server has confirmed them, or while it does if
/// `stale-while-revalidate` allows that.
///
/// 1. Only the queue of this cache waits for the disk, except in ``contents()`` and ``clear()``,
///    which block the caller. A lookup suspends its caller; a write that would make more than 32 MB
///    of bodies wait is dropped.
/// 2. A response that cannot be read or written counts as absent, and everything works without it.
///    ``problem`` gives the reason for a failed write or scan. Damaged files are removed.
/// 3. Beyond ``maximumBytes``, the least recently used responses are evicted. Programs that share a
///    folder each scan it after writing an eighth of that.
public final class HTTPCache: Sendable {
  /// The number and the size of the stored responses.
  public struct Contents: Hashable, Sendable {
    /// The number of responses.
    public var count = 0
    /// The bytes of their files.
    public var bytes = 0

    /// No responses.
    public init() {}
  }

  /// The result of looking a request up.
  package enum Answer: Sendable {
    case none
    /// A body that may be shown, with its head; if `isFresh` is false, it has to be revalidated
    /// afterwards.
    case body([UInt8], of: StoredResponse, isFresh: Bool)
    /// The server responded with this error status, and that response is still fresh.
    case failure(status: Int)
    /// A response that its server has to confirm first.
    case stale(StoredResponse)
  }

  private struct State {
    /// Bytes of the files at the last scan of the folder, plus those written since; `nil` before
    /// the first scan.
    var knownBytes: Int?
    var writtenSinceScan = 0
    var pendingBytes = 0
    var problem: String?
  }

  /// The maximum bytes of the files by default: 200 MB.
  public static let defaultMaximumBytes = 200_000_000
  /// The maximum bytes of bodies that wait to be written: 32 MB.
  static let pendingLimit = 32_000_000
  /// A response larger than the cache divided by this is not stored.
  private static let largestShare = 4
  private static let scanShare = 8
  /// The number of writes that the caches of this process have begun; makes temporary names unique.
  private static let fileCount = Atomic(0)
  /// Seconds within which a further use is not recorded.
  private static let touchInterval = 60.0

  /// The folder of the files.
  public let path: String
  /// The maximum bytes of the files.
  public let maximumBytes: Int

  private let folder: CacheFolder
  private let queue = DispatchQueue(label: "tideline.http-cache", qos: .utility)
  private let state = Mutex(State())
  private let clock: @Sendable () -> Double
  private let onProblem: @Sendable (String) -> Void

  /// A cache in the folder at `path`, which is created when the first response is stored.
  ///
  /// - Parameters:
  ///   - maximumBytes: the maximum bytes of its files. 200 MB by default.
  ///   - onProblem: called on the cache's queue with each new ``problem``.
  public convenience init(
    path: String, maximumBytes: Int = HTTPCache.defaultMaximumBytes,
    onProblem: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(path: path, maximumBytes: maximumBytes, onProblem: onProblem) {
      Date().timeIntervalSince1970
    }
  }

  /// - Parameter clock: seconds since 1970.
  package init(
    path: String, maximumBytes: Int, onProblem: @escaping @Sendable (String) -> Void = { _ in },
    clock: @escaping @Sendable () -> Double
  ) {
    self.path = path
    self.maximumBytes = max(0, maximumBytes)
    folder = CacheFolder(path: path)
    self.onProblem = onProblem
    self.clock = clock
  }

  /// Why a write or scan last failed, preceded by the folder; `nil` if none has failed since the
  /// last successful write.
  public var problem: String? { state.withLock { $0.problem } }

  /// Seconds since 1970.
  package var now: Double { clock() }

  /// Whether responses from this address can be stored: it leads to a server by http or https, and
  /// has at most 8,192 bytes.
  ///
  /// - Complexity: O(1).
  package static func canStore(_ url: String) -> Bool {
    let scheme = url.prefix(6).lowercased()
    guard scheme.hasPrefix("http:") || scheme == "https:", url.utf8.count <= 8_192 else {
      return false
    }
    // No server has such a name (RFC 2606).
    return URLReference(url).host.map { !$0.hasSuffix(".invalid") } ?? false
  }

  // MARK: Using

  /// Looks up the response to `request`.
  ///
  /// - Complexity: O(bytes) of the response, away from the caller's thread.
  package func answer(to request: HTTPRequest) async -> Answer {
    await onQueue { [self] in
      let name = Self.name(of: request.url)
      guard let entry = entry(name), entry.response.answers(request) else { return .none }
      let use = entry.response.use(at: clock())
      guard entry.response.status == 200 else {
        return use == .fresh ? .failure(status: entry.response.status) : .none
      }
      switch use {
      case .fresh: return .body(entry.body, of: entry.response, isFresh: true)
      case .whileRevalidating: return .body(entry.body, of: entry.response, isFresh: false)
      case .stale: return .stale(entry.response)
      }
    }
  }

  /// The body of `stale`, if it is still stored.
  package func body(of stale: StoredResponse) async -> [UInt8]? {
    await onQueue { [self] in
      let name = Self.name(of: stale.url)
      guard let entry = entry(name), entry.response == stale else { return nil }
      return entry.body
    }
  }

  /// Records that the server has confirmed `stale`.
  ///
  /// - Returns: its body; `nil` if it has been removed or replaced since.
  package func freshen(
    _ stale: StoredResponse, by response: HTTPResponse, requestTime: Double
  ) async -> [UInt8]? {
    guard let body = await body(of: stale) else { return nil }
    let fresh = stale.freshened(
      by: response, requestTime: requestTime, responseTime: clock())
    if CacheControl(fresh.headers).noStore {
      remove(stale.url)
    } else {
      write(CacheEntry(response: fresh, body: body))
    }
    return body
  }

  /// Stores a response in place of an earlier one from the same address; if it may not be stored,
  /// only removes the earlier one.
  ///
  /// - Complexity: O(bytes), away from the caller's thread, which does not wait.
  package func keep(
    _ response: HTTPResponse, to request: HTTPRequest, body: [UInt8], requestTime: Double
  ) {
    let stored = StoredResponse(
      response, to: request, requestTime: requestTime, responseTime: clock())
    guard let stored, body.count <= maximumBytes / Self.largestShare else {
      return remove(request.url)
    }
    write(CacheEntry(response: stored, body: body))
  }

  /// Removes the response of an address, because it is unusable.
  package func drop(_ url: String) { remove(url) }

  /// Returns when all writes and removals before it are done.
  package func flush() async { await onQueue {} }

  // MARK: All of it

  /// The number and the size of the stored responses. Removes temporary files that crashes left
  /// behind.
  ///
  /// - Throws: ``HTTPCacheFailure`` if the folder cannot be read.
  /// - Complexity: O(files).
  public func contents() throws(HTTPCacheFailure) -> Contents {
    do throws(SystemFailure) {
      return try folder.files(now: clock()).reduce(into: Contents()) { contents, file in
        contents.count += 1
        contents.bytes += file.bytes
      }
    } catch {
      throw HTTPCacheFailure(path: path, reason: error.message)
    }
  }

  /// Removes all responses, and temporary files that crashes left behind; other files stay.
  ///
  /// - Returns: the number and the size of the responses before.
  /// - Throws: ``HTTPCacheFailure`` if the folder cannot be read, or a file cannot be removed.
  /// - Complexity: O(files).
  @discardableResult public func clear() throws(HTTPCacheFailure) -> Contents {
    let before = try contents()
    do throws(SystemFailure) {
      for file in try folder.files(now: clock()) { folder.remove(file.name) }
    } catch {
      throw HTTPCacheFailure(path: path, reason: error.message)
    }
    state.withLock { $0.knownBytes = nil }
    guard try contents().count == 0 else {
      throw HTTPCacheFailure(path: path, reason: "some responses cannot be removed")
    }
    return before
  }

  // MARK: On the queue

  private func onQueue<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  private func entry(_ name: String) -> CacheEntry? {
    let limit = maximumBytes / Self.largestShare + CacheEntry.maximumHead
    guard let file = folder.read(name, limit: limit) else { return nil }
    do throws(CacheEntry.Damage) {
      let entry = try CacheEntry(file.bytes)
      if file.used < clock() - Self.touchInterval { folder.touch(name) }
      return entry
    } catch {
      folder.remove(name)
      return nil
    }
  }

  private func remove(_ url: String) {
    queue.async { [self] in folder.remove(Self.name(of: url)) }
  }

  private func write(_ entry: CacheEntry) {
    let size = entry.body.count
    let hasRoom = state.withLock { state in
      guard state.pendingBytes + size <= Self.pendingLimit else { return false }
      state.pendingBytes += size
      return true
    }
    guard hasRoom else { return }
    let file = Self.fileCount.add(1, ordering: .relaxed).newValue
    queue.async { [self] in
      // The body, which may be large, is not copied.
      let start = entry.start
      var written = 0
      do throws(SystemFailure) {
        try folder.write([start, entry.body], as: Self.name(of: entry.response.url), unique: file)
        written = start.count + entry.body.count
        state.withLock { $0.problem = nil }
      } catch {
        note(error)
      }
      let isScanDue = state.withLock { state in
        state.pendingBytes -= size
        state.writtenSinceScan += written
        guard let known = state.knownBytes else { return true }
        state.knownBytes = known + written
        return known + written > maximumBytes
          || state.writtenSinceScan > maximumBytes / Self.scanShare
      }
      if isScanDue { evict() }
    }
  }

  /// Scans the folder; if it is too large, removes the least recently used files until a tenth is
  /// free.
  private func evict() {
    do throws(SystemFailure) {
      var files = try folder.files(now: clock())
      var total = files.reduce(0) { $0 + $1.bytes }
      if total > maximumBytes {
        files.sort { $0.used < $1.used }
        for file in files where total > maximumBytes - maximumBytes / 10 {
          folder.remove(file.name)
          total -= file.bytes
        }
      }
      state.withLock {
        $0.knownBytes = total
        $0.writtenSinceScan = 0
      }
    } catch {
      note(error)
    }
  }

  private func note(_ error: SystemFailure) {
    let problem = "\(path): \(error.message)"
    let isNew = state.withLock { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
    if isNew { onProblem(problem) }
  }

  /// The file name of an address: a hash of 128 bits. The file itself stores the whole address.
  private static func name(of url: String) -> String {
    let bytes = Array(url.utf8)[...]
    return [0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15]
      .map { CacheSum.of(bytes, seed: $0).hexadecimal }.joined() + CacheFolder.suffix
  }
}

/// Why a cache cannot be read or cleared.
public struct HTTPCacheFailure: Error, Hashable, Sendable {
  /// The folder.
  public let path: String
  /// The reason, in a few words.
  public let reason: String
}

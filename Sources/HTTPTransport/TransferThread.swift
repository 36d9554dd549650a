import CCurl
import HTTP
import Synchronization
import System

/// The thread that runs one transport's transfers for one `RequestScope`, and its interface for
/// other threads.
///
/// 1. It starts with the first request and ends when the transport is gone and no transfer is left.
///    If libcurl cannot be opened, it fails the waiting requests and ends; the next request tries
///    again.
/// 2. Only this thread calls libcurl, except for `multi_wakeup`, which is made for other threads.
///    They reach it through `State.alarm`, under the lock, so it is never called on a freed handle.
/// 3. Orders are added under the lock, then the thread is woken; it takes all of them before each
///    round. A wake-up between taking them and sleeping ends the sleep at once.
/// 4. It sleeps until a socket is ready, an order arrives, or the nearest deadline of a transfer or
///    of libcurl; without transfers, forever. Nothing else wakes it. If servers repeatedly send
///    next to nothing, it sleeps a little before that (`WakeUpLimiter`), and orders wait as long.
final class TransferThread: Sendable {
  private typealias Transfers = [ObjectIdentifier: Transfer]

  private struct Orders {
    var begin: [Exchange] = []
    var abandon: [Exchange] = []
    var resume: [Exchange] = []

    var isEmpty: Bool { begin.isEmpty && abandon.isEmpty && resume.isEmpty }
  }

  /// Ends the thread's sleep.
  private struct Alarm: Sendable {
    let functions: CurlFunctions
    /// The address of the multi handle.
    let multi: UInt

    func ring() {
      guard let multi = CurlLibrary.Handle(bitPattern: multi) else { return }
      _ = functions.multi_wakeup(multi)
    }
  }

  private struct State {
    var orders = Orders()
    var isRunning = false
    var isClosing = false
    var alarm: Alarm?
  }

  private let settings: TransferSettings
  private let state = Mutex(State())
  private let sleeps = Atomic(0)

  /// Number of times that the thread has slept and woken so far.
  var wakeUps: Int { sleeps.load(ordering: .relaxed) }

  init(_ settings: TransferSettings) { self.settings = settings }

  // MARK: Orders

  /// Sends the request; the exchange receives the result, including failures.
  func begin(_ exchange: Exchange) {
    let isRunning = state.withLock { state in
      if !state.isRunning { state.isRunning = DedicatedThread.start { self.run() } }
      guard state.isRunning else { return false }
      state.orders.begin.append(exchange)
      state.alarm?.ring()
      return true
    }
    if !isRunning {
      exchange.finish(.failure(.unavailable(reason: "no thread could be started")))
    }
  }

  /// Ends the transfer of a reader that has left.
  func abandon(_ exchange: Exchange) { order { $0.abandon.append(exchange) } }

  /// Resumes a held transfer whose reader has room again.
  func resume(_ exchange: Exchange) { order { $0.resume.append(exchange) } }

  /// Ends the thread after its transfers; no request may follow.
  func close() {
    state.withLock { state in
      state.isClosing = true
      state.alarm?.ring()
    }
  }

  private func order(_ change: (inout Orders) -> Void) {
    state.withLock { state in
      guard state.isRunning else { return }
      change(&state.orders)
      state.alarm?.ring()
    }
  }

  /// Removes and returns all orders; `nil` if the thread has to end.
  private func takeOrders(isIdle: Bool) -> Orders? {
    state.withLock { state in
      if isIdle, state.isClosing, state.orders.isEmpty {
        state.alarm = nil
        state.isRunning = false
        return nil
      }
      defer { state.orders = Orders() }
      return state.orders
    }
  }

  /// Fails all waiting and running requests after libcurl as a whole has failed.
  private func fail(_ error: HTTPError, _ transfers: Transfers = [:]) {
    let waiting = state.withLock { state in
      defer { state.orders = Orders() }
      state.alarm = nil
      state.isRunning = false
      return state.orders.begin
    }
    for exchange in waiting + transfers.values.map(\.exchange) { exchange.finish(.failure(error)) }
  }

  // MARK: The thread

  private func run() {
    do throws(HTTPError) {
      let library = try CurlLibrary(names: settings.libraries)
      guard let multi = library.functions.multi_init() else {
        throw .unavailable(reason: "libcurl is out of memory")
      }
      withUnsafePointer(to: library.functions) { functions in
        _ = curl_multi_set_long(
          functions, multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        // The maximum number of connections that are kept open for later requests.
        _ = curl_multi_set_long(functions, multi, CURLMOPT_MAXCONNECTS, 16)
      }
      let alarm = Alarm(functions: library.functions, multi: UInt(bitPattern: multi))
      state.withLock { $0.alarm = alarm }
      transfer(library, multi)
      curl_work_begin()
      _ = library.functions.multi_cleanup(multi)
      curl_work_end()
    } catch {
      fail(error)
    }
  }

  private func transfer(_ library: CurlLibrary, _ multi: CurlLibrary.Handle) {
    let functions = library.functions
    var transfers: Transfers = [:]
    var pace = WakeUpLimiter()
    while let orders = takeOrders(isIdle: transfers.isEmpty) {
      pace.begin(orders.begin.count)
      curl_work_begin()
      carryOut(orders, &transfers, library, multi)
      var running: Int32 = 0
      var code = functions.multi_perform(multi, &running)
      endComplete(&transfers, library, multi)
      let load = endRound(of: transfers)
      let deadline = endExpired(&transfers, library, multi)
      curl_work_end()
      if !transfers.isEmpty, load.isThin { Self.sleep(pace.pause(now: .now)) }
      if code == CURLM_OK {
        code = functions.multi_poll(multi, nil, 0, Self.milliseconds(until: deadline), nil)
        sleeps.add(1, ordering: .relaxed)
      }
      if code != CURLM_OK {
        fail(.unavailable(reason: "libcurl failed with code \(code.rawValue)"), transfers)
        curl_work_begin()
        for transfer in transfers.values { remove(transfer, library, multi) }
        transfers = [:]
        curl_work_end()
        return
      }
    }
  }

  private func carryOut(
    _ orders: Orders, _ transfers: inout Transfers, _ library: CurlLibrary,
    _ multi: CurlLibrary.Handle
  ) {
    for exchange in orders.begin where !exchange.hasEnded {
      do throws(HTTPError) {
        let transfer = try Transfer(exchange, library: library, settings: settings, now: .now)
        guard library.functions.multi_add_handle(multi, transfer.handle.pointer) == CURLM_OK else {
          throw .unavailable(reason: "libcurl is out of memory")
        }
        transfers[ObjectIdentifier(exchange)] = transfer
      } catch {
        exchange.finish(.failure(error))
      }
    }
    for exchange in orders.abandon {
      guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(exchange)) else {
        continue
      }
      remove(transfer, library, multi)
    }
    for exchange in orders.resume { transfers[ObjectIdentifier(exchange)]?.resume(now: .now) }
  }

  /// Removing a transfer that is under way closes its connection, or resets its HTTP/2 stream.
  private func remove(
    _ transfer: Transfer, _ library: CurlLibrary, _ multi: CurlLibrary.Handle
  ) {
    _ = library.functions.multi_remove_handle(multi, transfer.handle.pointer)
  }

  private func endComplete(
    _ transfers: inout Transfers, _ library: CurlLibrary, _ multi: CurlLibrary.Handle
  ) {
    var left: Int32 = 0
    while let message = library.functions.multi_info_read(multi, &left) {
      // The message is invalid after the removal of the handle.
      let (kind, handle) = (message.pointee.msg, message.pointee.easy_handle)
      let code = message.pointee.data.result
      guard kind == CURLMSG_DONE, let handle, let context = library.privatePointer(of: handle)
      else { continue }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      transfer.end(code)
      remove(transfer, library, multi)
      transfers[ObjectIdentifier(transfer.exchange)] = nil
    }
  }

  /// Passes on the bytes that have arrived.
  ///
  /// - Returns: the load of the round.
  /// - Complexity: O(transfers), and O(n) in the bytes.
  private func endRound(of transfers: Transfers) -> RoundLoad {
    let now = Transfer.Instant.now
    return transfers.values.reduce(into: RoundLoad()) { $0.add($1.endRound(now: now)) }
  }

  private static func sleep(_ duration: Duration) {
    let microseconds = duration.components.attoseconds / 1_000_000_000_000
    if microseconds > 0 { usleep(UInt32(min(microseconds, 100_000))) }
  }

  /// Ends transfers that exceed a time limit.
  ///
  /// - Returns: the nearest deadline of the others.
  /// - Complexity: O(transfers)
  private func endExpired(
    _ transfers: inout Transfers, _ library: CurlLibrary, _ multi: CurlLibrary.Handle
  ) -> Transfer.Instant? {
    let now = Transfer.Instant.now
    var nearest: Transfer.Instant?
    var expired: [(Transfer, HTTPError)] = []
    for transfer in transfers.values {
      if let error = transfer.timeoutError(now: now) {
        expired.append((transfer, error))
      } else if let deadline = transfer.deadline {
        nearest = nearest.map { min($0, deadline) } ?? deadline
      }
    }
    for (transfer, error) in expired {
      remove(transfer, library, multi)
      transfers[ObjectIdentifier(transfer.exchange)] = nil
      transfer.exchange.finish(.failure(error))
    }
    return nearest
  }

  /// The milliseconds left, rounded up so that the deadline has passed afterwards; `Int32.max` if
  /// there is none.
  private static func milliseconds(until deadline: Transfer.Instant?) -> Int32 {
    guard let deadline else { return .max }
    let (seconds, attoseconds) = Transfer.Instant.now.duration(to: deadline).components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(max(0, seconds * 1000 + part))
  }
}

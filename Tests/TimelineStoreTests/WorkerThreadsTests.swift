import Dispatch
import Glibc
import Synchronization
import System
import TestSupport
import Testing

/// Work on the program's own threads.
@Suite(.ownThreads) struct WorkerThreadsTests {
  /// Pieces of work that wait until the test lets them continue.
  private final class Gate: Sendable {
    let started = DispatchSemaphore(value: 0)
    let opened = DispatchSemaphore(value: 0)
    private let counts = Mutex((running: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func pass() {
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
      started.signal()
      opened.wait()
      counts.withLock { $0.running -= 1 }
    }
  }

  @Test func concurrencyIsLimited() {
    let (threads, gate) = (WorkerThreads(limit: 3), Gate())
    for _ in 0..<10 { threads.run { gate.pass() } }
    for _ in 0..<3 { gate.started.wait() }
    for _ in 0..<7 {
      gate.opened.signal()
      gate.started.wait()
    }
    for _ in 0..<3 { gate.opened.signal() }
    #expect(gate.most == 3)
  }

  @Test func workStartsInOrder() async {
    let threads = WorkerThreads(limit: 1)
    let order = Mutex<[Int]>([])
    for number in 0..<100 { threads.run { order.withLock { $0.append(number) } } }
    let last = await threads.value { order.withLock { $0 } }
    #expect(last == Array(0..<100))
  }

  /// A thread of Linux has a niceness of its own.
  @Test(arguments: [0, WorkerThreads.backgroundNiceness]) func threadsYield(niceness: Int32) async {
    let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    let threads = WorkerThreads(limit: 1, niceness: niceness)
    let other = await threads.value { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    #expect(other == max(own, niceness))
  }

  private actor Counter {
    private var count = 0
    /// - Returns: the thread that runs it.
    func add() -> pthread_t {
      count += 1
      return pthread_self()
    }
  }

  private static func thread() async -> pthread_t { pthread_self() }

  @Test func tasksRunWithChildrenAndActors() async {
    let threads = WorkerThreads(limit: 1)
    let own = await threads.value { pthread_self() }
    let counter = Counter()
    let used = await withTaskExecutorPreference(threads) {
      var used: [pthread_t] = []
      for _ in 0..<3 {
        used.append(await counter.add())
        used.append(await Self.thread())
      }
      await withTaskGroup(of: pthread_t.self) { group in
        for _ in 0..<3 { group.addTask { pthread_self() } }
        for await thread in group { used.append(thread) }
      }
      return used
    }
    #expect(used.count == 9)
    #expect(used.allSatisfy { $0 == own })
  }

  /// Work that was queued is done even if the object is released.
  @Test func workOutlivesTheObject() {
    let done = DispatchSemaphore(value: 0)
    do {
      let threads = WorkerThreads(limit: 2)
      for _ in 0..<50 { threads.run { done.signal() } }
    }
    for _ in 0..<50 { done.wait() }
  }
}

import Dispatch
import Foundation

/// A serial queue for a session's reports.
///
/// A plain OperationQueue takes operations from a fast server faster than it hands them on, both
/// ends contending for one lock: measured, the first report of an endless body came after up to
/// 15 s on a busy machine, and with it the limit on its bytes. A dispatch queue keeps up. It never
/// makes the session's thread wait, since what waits there takes a thread from everybody.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  private let queue = DispatchQueue(label: "tideline.http.reports")

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    queue.async(execute: block)
  }
}

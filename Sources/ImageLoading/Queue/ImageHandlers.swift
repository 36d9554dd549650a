import Pixels

/// Who waits for pictures: handlers by the numbers of their requests, each called until its request
/// has ended.
///
/// Each is looked up when its turn comes, for one of them may cancel another.
@MainActor final class ImageHandlers {
  typealias Handler = @MainActor (ImageEvent) -> Void

  private var handlers: [UInt64: Handler] = [:]
  private var next: UInt64 = 1

  /// - Returns: the number of its request, given once.
  func add(_ handler: @escaping Handler) -> UInt64 {
    defer { next += 1 }
    handlers[next] = handler
    return next
  }

  func isWaiting(_ request: UInt64) -> Bool { handlers[request] != nil }

  /// - Returns: whether it still waited.
  func remove(_ request: UInt64) -> Bool { handlers.removeValue(forKey: request) != nil }

  func announce(_ size: PixelSize, to requests: [UInt64]) {
    for request in requests { handlers[request]?(.size(size)) }
  }

  /// The last that a request is told.
  func end(_ request: UInt64, _ event: ImageEvent) {
    handlers.removeValue(forKey: request)?(event)
  }
}

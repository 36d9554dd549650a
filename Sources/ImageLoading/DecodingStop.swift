import Synchronization

/// Notifies a decoder that its picture is no longer wanted.
public final class DecodingStop: Sendable {
  private struct State {
    var isStopped = false
    var handler: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Creates a stop that was not requested yet.
  public init() {}

  /// Whether the picture is no longer wanted.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Requests the stop: the picture is no longer wanted.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      state.handler?()
      state.handler = nil
    }
  }

  /// Calls `handler` when the stop is requested, or at once if it was. With `nil`, no handler is
  /// called any more, and none is running when this returns.
  ///
  /// - Parameter handler: must be quick, may be called on any thread, and must not use this object;
  ///   it replaces the one set before.
  public func whenStopped(_ handler: (@Sendable () -> Void)?) {
    state.withLock { state in
      if state.isStopped { handler?() } else { state.handler = handler }
    }
  }
}

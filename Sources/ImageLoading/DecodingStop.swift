import Synchronization

/// Says to whoever decodes a picture that nobody wants it any more.
public final class DecodingStop: Sendable {
  private struct State {
    var isStopped = false
    var handler: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// One that has not been said.
  public init() {}

  /// Whether the picture is wanted no more.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// From now on the picture is wanted no more.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      state.handler?()
      state.handler = nil
    }
  }

  /// Has `handler` called when the picture is wanted no more, at once where that is so already;
  /// nil: nothing is to be done any more, nor being done when this returns.
  ///
  /// - Parameter handler: quick, on whatever thread, and without a look at this object; the one set
  ///   before it is forgotten.
  public func whenStopped(_ handler: (@Sendable () -> Void)?) {
    state.withLock { state in
      if state.isStopped { handler?() } else { state.handler = handler }
    }
  }
}

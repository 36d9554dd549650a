import CMainLoop
import Dispatch

/// Calls a handler on the main actor whenever a descriptor is readable or its other end is gone,
/// until the watch is cancelled or released. Uses the loop of the main thread if the program has
/// one, else a Dispatch source.
@MainActor final class DescriptorWatch {
  private let descriptor: Int32
  private let handler: @MainActor () -> Void
  private var source: (any DispatchSourceRead)?
  private var isOnLoop = false

  init(_ descriptor: Int32, handler: @escaping @MainActor () -> Void) {
    self.descriptor = descriptor
    self.handler = handler
    let context = Unmanaged.passUnretained(self).toOpaque()
    isOnLoop =
      main_loop_watch(
        descriptor,
        { context in
          guard let context else { return }
          let watch = Unmanaged<DescriptorWatch>.fromOpaque(context).takeUnretainedValue()
          MainActor.assumeIsolated { watch.handler() }
        }, context) != 0
    guard !isOnLoop else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { handler() } }
    source.activate()
    self.source = source
  }

  isolated deinit { cancel() }

  /// Stops calling the handler.
  func cancel() {
    if isOnLoop { main_loop_unwatch(descriptor) }
    isOnLoop = false
    source?.cancel()
    source = nil
  }
}

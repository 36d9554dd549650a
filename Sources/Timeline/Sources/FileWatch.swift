import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tells when a file was written, moved, deleted or replaced. Nothing runs until it was.
///
/// Where the system cannot watch the file, as on some network file systems, nothing is told.
final class FileWatch {
  private let source: any DispatchSourceProtocol

  /// - Parameters:
  ///   - descriptor: the open file, which must stay open.
  ///   - onChange: called on a queue of its own; may be called without a change.
  init?(path: String, descriptor: Int32, onChange: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "tideline.file-watch", qos: .utility)
    #if os(Linux)
      let notifier = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard notifier >= 0 else { return nil }
      let events = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
      guard inotify_add_watch(notifier, path, events) >= 0 else {
        close(notifier)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: notifier, queue: queue)
      source.setEventHandler {
        Self.drain(notifier)
        onChange()
      }
      source.setCancelHandler { close(notifier) }
    #else
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .attrib],
        queue: queue)
      source.setEventHandler { onChange() }
    #endif
    self.source = source
    source.activate()
  }

  deinit { source.cancel() }

  func cancel() { source.cancel() }

  /// What has happened is looked up in the file itself; the events are only read away.
  private static func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}

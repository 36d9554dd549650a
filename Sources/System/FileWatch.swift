import Dispatch
import Glibc

/// Tells when a file was written, moved, deleted or replaced, and goes on with whatever stands
/// there then. Nothing runs until something happened.
///
/// While no file stands there its folder is watched instead, so that it is only then that strange
/// files wake anybody. Where the system cannot watch, as on some network file systems, nothing is
/// told.
package final class FileWatch {
  private let source: any DispatchSourceProtocol
  private let file: any Sendable

  /// - Parameters:
  ///   - file: what holds the file at `path` open, so that no other one gets its number.
  ///   - onChange: called on a queue of its own; may be called without a change.
  package init?(path: String, file: any Sendable, onChange: @escaping @Sendable () -> Void) {
    self.file = file
    let queue = DispatchQueue(label: "tideline.file-watch", qos: .utility)
    guard let notifier = Notifier(path: path) else { return nil }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: notifier.descriptor, queue: queue)
    source.setEventHandler {
      notifier.drain()
      notifier.rearm()
      onChange()
    }
    source.setCancelHandler { notifier.close() }
    self.source = source
    source.activate()
  }

  deinit { source.cancel() }

  package func cancel() { source.cancel() }
}

/// What the kernel is asked to tell. Used by one queue.
private final class Notifier: @unchecked Sendable {
  let descriptor: Int32
  private let path: String
  private var file: Int32
  private var folder: Int32 = -1

  private static let fileEvents = UInt32(
    IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
  private static let folderEvents = UInt32(IN_CREATE | IN_MOVED_TO)

  init?(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.path = path
    file = inotify_add_watch(descriptor, path, Self.fileEvents)
    guard file >= 0 else {
      Glibc.close(descriptor)
      return nil
    }
  }

  /// What has happened is looked up in the file itself; the events are only read away.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  /// Watches what stands at the path now: the same file, another one, or the folder.
  func rearm() {
    let now = inotify_add_watch(descriptor, path, Self.fileEvents)
    if now != file, file >= 0 {
      // It may have gone with its file already.
      _ = inotify_rm_watch(descriptor, file)
    }
    file = now
    if now >= 0, folder >= 0 {
      _ = inotify_rm_watch(descriptor, folder)
      folder = -1
    } else if now < 0, folder < 0 {
      folder = inotify_add_watch(descriptor, parent, Self.folderEvents)
      // It may have come back in between.
      if inotify_add_watch(descriptor, path, Self.fileEvents) >= 0 { rearm() }
    }
  }

  private var parent: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  func close() { Glibc.close(descriptor) }
}

import Dispatch
import Glibc

/// Reports when a file is written, moved, deleted or replaced, and continues with the file that has
/// its name then. Nothing runs between events.
///
/// The path to the file is watched, too: each of its folders and symbolic links, for being moved or
/// deleted, so that a name that begins to mean another file is noticed. While there is no file,
/// these folders are watched for names that appear and disappear, and the former file for being
/// written: only then do unrelated files cause wake-ups. If the system cannot watch, as on some
/// network file systems, nothing is reported.
package final class FileWatch {
  private let source: any DispatchSourceProtocol
  private let file: any Sendable

  /// `nil` if the system cannot watch the path.
  ///
  /// - Parameters:
  ///   - file: a value that keeps the file at `path` open, so that no other file gets its number.
  ///   - onChange: called on a queue of its own; may be called without a change.
  package init?(path: String, file: any Sendable, onChange: @escaping @Sendable () -> Void) {
    self.file = file
    let queue = DispatchQueue(label: "tideline.file-watch", qos: .utility)
    guard let notifier = Notifier(path: path) else { return nil }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: notifier.descriptor, queue: queue)
    source.setEventHandler {
      notifier.drain()
      notifier.updateWatches()
      onChange()
    }
    source.setCancelHandler { notifier.close() }
    self.source = source
    source.activate()
  }

  deinit { source.cancel() }

  package func cancel() { source.cancel() }
}

/// The kernel's watches of a path. Used on one queue.
private final class Notifier: @unchecked Sendable {
  let descriptor: Int32
  private let path: String
  /// Watches of the path and of the file.
  private var watches: [Int32] = []
  /// The watch of the file that is at the path, or was last.
  private var file: Int32 = -1

  private static let fileEvents = UInt32(
    IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
  private static let nameEvents = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
  /// A folder that is deleted while a file that was in it is open reports nothing itself.
  private static let folderEvents =
    nameEvents | UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
  /// Maximum number of symbolic links that are followed, as in the kernel.
  private static let maximumLinks = 40

  init?(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.path = path
    updateWatches()
    guard !watches.isEmpty else {
      Glibc.close(descriptor)
      return nil
    }
  }

  /// Discards the events; the changes are looked up in the file itself.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  /// Watches the current path to the file, and the file at the path.
  func updateWatches() {
    let before = watches
    watches = []
    let isThere =
      watch(path, Self.nameEvents)
      // It may have appeared in between.
      || watch(path, Self.folderEvents) && watch(path, Self.nameEvents)
    let now = isThere ? add(path, Self.fileEvents) : -1
    if now >= 0 { file = now } else if before.contains(file) { watches.append(file) }
    // The watches of deleted files are gone already.
    for watch in before where !watches.contains(watch) { _ = inotify_rm_watch(descriptor, watch) }
  }

  /// Watches each name of a path; a folder is watched before a name in it is looked up, so that no
  /// change is missed.
  ///
  /// - Parameter events: the events of the folders.
  /// - Returns: whether the path leads to a file.
  private func watch(_ path: String, _ events: UInt32) -> Bool {
    var links = Self.maximumLinks
    return watch(path, events, &links)
  }

  private func watch(_ path: String, _ events: UInt32, _ links: inout Int) -> Bool {
    var folder = path.hasPrefix("/") ? "/" : "."
    for name in path.split(separator: "/") {
      let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      add(folder, events)
      var status = stat()
      guard lstat(next, &status) == 0 else { return false }
      if status.st_mode & S_IFMT == S_IFLNK {
        add(next, Self.nameEvents | UInt32(IN_DONT_FOLLOW))
        guard links > 0, let target = SystemPaths.target(ofLink: next) else { return false }
        links -= 1
        guard watch(target.hasPrefix("/") ? target : "\(folder)/\(target)", events, &links) else {
          return false
        }
      }
      folder = next
    }
    return true
  }

  @discardableResult private func add(_ path: String, _ events: UInt32) -> Int32 {
    let watch = inotify_add_watch(descriptor, path, events)
    if watch >= 0, !watches.contains(watch) { watches.append(watch) }
    return watch
  }

  func close() { Glibc.close(descriptor) }
}

import Glibc

/// The state of a path in the file system: a different stamp means different content or another
/// file.
package struct FileStamp: Hashable, Sendable {
  private let inode: UInt64
  /// Bytes of the file.
  package let size: Int
  /// Seconds and nanoseconds since 1970.
  private let changed: SIMD2<Int>
  /// Whether it is a file with contents, and no pipe, folder or device.
  package let isRegular: Bool

  /// `nil` if there is nothing at the path.
  package init?(path: String) {
    var now = stat()
    guard stat(path, &now) == 0 else { return nil }
    self.init(now)
  }

  /// The current state of an open file.
  package init(_ now: stat) {
    inode = UInt64(now.st_ino)
    size = Int(now.st_size)
    isRegular = now.st_mode & S_IFMT == S_IFREG
    changed = SIMD2(Int(now.st_mtim.tv_sec), Int(now.st_mtim.tv_nsec))
  }
}

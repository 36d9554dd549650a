import Glibc

/// The state of a file: a different stamp means that the file was written or
/// replaced.
package struct FileStamp: Hashable, Sendable {
  private let inode: UInt64
  /// Size in bytes.
  package let size: Int
  /// Modification time: seconds since 1970, and nanoseconds.
  private let modified: SIMD2<Int>
  /// Whether it is a regular file, not a pipe, folder or device.
  package let isRegular: Bool

  /// `nil` if there is nothing at the path, or it cannot be examined.
  package init?(path: String) {
    var now = stat()
    guard stat(path, &now) == 0 else { return nil }
    self.init(now)
  }

  /// The state of an open file, even if another one has its path by now; `nil` if it cannot be
  /// examined.
  package init?(descriptor: Int32) {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return nil }
    self.init(now)
  }

  /// The state that the system has reported.
  package init(_ now: stat) {
    inode = UInt64(now.st_ino)
    size = Int(now.st_size)
    isRegular = now.st_mode & S_IFMT == S_IFREG
    modified = SIMD2(Int(now.st_mtim.tv_sec), Int(now.st_mtim.tv_nsec))
  }
}

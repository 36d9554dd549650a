import Glibc

/// The identity of a file, whatever path or descriptor leads to it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// Whether it has contents that writing replaces; pipes, terminals and `/dev/null` have none.
  package let isRegular: Bool

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// The file that a path leads to, through links; `nil` if there is none.
  package init?(path: String) {
    var status = stat()
    guard !path.isEmpty, stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The open file; `nil` if the descriptor is not open.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}

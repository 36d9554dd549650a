import HTTP
import System

/// Opens the files of an unpacked archive without following symbolic links, which could lead out of
/// its folder.
enum FolderFile {
  /// - Throws: `HTTPError.notInArchive` if there is no such regular file, `.tooLarge`, or
  ///   `.truncated` if it cannot be read.
  static func read(_ path: String, in root: String, limit: Int) throws(HTTPError) -> [UInt8] {
    guard let file = opened(path, in: root), let size = file.size else {
      throw .notInArchive(path: path)
    }
    guard size <= limit else { throw .tooLarge(limit: limit) }
    guard let bytes = try? file.read(0..<size) else {
      throw .truncated(expected: size, received: 0)
    }
    return bytes
  }

  static func exists(_ path: String, in root: String) -> Bool { opened(path, in: root) != nil }

  private static func opened(_ path: String, in root: String) -> FileBytes? {
    guard let path = ArchivePath.plain(path.utf8) else { return nil }
    let parts = path.split(separator: "/")
    var folder = open(root.isEmpty ? "." : root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, part) in parts.enumerated() where folder >= 0 {
      let isLast = index == parts.count - 1
      // Opening a named pipe must not wait for its writer.
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      let next = openat(folder, String(part), flags)
      close(folder)
      folder = next
    }
    guard folder >= 0 else { return nil }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(folder)
      return nil
    }
    return FileBytes(descriptor: folder, closes: true, size: Int(status.st_size))
  }
}

import System

/// A file without a name that keeps the bytes of a pipe; it is deleted when the program ends,
/// however it ends.
enum SpoolFile {
  /// The maximum number of bytes kept of a pipe. `4 GiB`.
  static let limit = 4 << 30

  /// Creates a file in `folder`, or else in `/var/tmp`, which is on disk where `/tmp` may be in
  /// memory.
  ///
  /// - Throws: `errno` of the last attempt.
  static func make(in folder: String?) throws(SystemFailure) -> FileBytes {
    var failure = SystemFailure(code: ENOENT)
    for folder in [folder, "/var/tmp"].compactMap({ $0 }) where !folder.isEmpty {
      do throws(SystemFailure) { return try unlinkedFile(in: folder) } catch { failure = error }
    }
    throw failure
  }

  /// The folder that `TMPDIR` names, if it is set.
  static var temporaryFolder: String? { getenv("TMPDIR").map { String(cString: $0) } }

  private static func unlinkedFile(in folder: String) throws(SystemFailure) -> FileBytes {
    var path = Array("\(folder)/tideline-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return FileBytes(descriptor: descriptor, closes: true, size: nil)
  }
}

extension FileBytes {
  /// Writes all of `bytes` at `offset`.
  ///
  /// - Returns: the number of bytes written; if the rest failed, also its `errno`.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (count: Int, code: Int32?) {
    var done = 0
    while done < bytes.count {
      let put = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if put < 0 {
        if errno == EINTR { continue }
        return (done, errno)
      }
      done += put
    }
    return (done, nil)
  }
}

import System

/// A file without a name that keeps what came out of a pipe: gone when the program ends, however it
/// ends.
enum SpoolFile {
  /// Bytes that are kept of a pipe. `4 GB`.
  static let limit = 4 << 30

  /// Makes one in `folder`, else in `/var/tmp`, which is on a disk where `/tmp` may be in memory.
  ///
  /// - Throws: `errno` of the last attempt.
  static func make(in folder: String?) throws(SystemFailure) -> FileBytes {
    var failure = SystemFailure(code: ENOENT)
    for folder in [folder, "/var/tmp"].compactMap({ $0 }) where !folder.isEmpty {
      do throws(SystemFailure) { return try unlinkedFile(in: folder) } catch { failure = error }
    }
    throw failure
  }

  /// Where TMPDIR says, if it says so.
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
  /// - Returns: how many bytes are written; fewer only where the rest failed, with `errno`.
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

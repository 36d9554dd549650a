import Glibc

/// Creates files and folders for the user alone, mode 0600 and 0700, whatever the umask is.
/// Existing ones keep their mode.
package enum PrivateFiles {
  /// Opens a file for writing, and creates it if it is missing.
  ///
  /// - Parameter flags: in addition to `O_CREAT` and `O_CLOEXEC`.
  package static func open(_ path: String, _ flags: Int32) throws(SystemFailure) -> Int32 {
    do throws(SystemFailure) {
      return try create(path, flags)
    } catch {
      guard error.code == EEXIST else { throw error }
    }
    // It exists, or is a link to a missing file.
    return try opened(Glibc.open(path, flags | O_CREAT | O_CLOEXEC, 0o600))
  }

  /// Creates a file that does not exist yet.
  ///
  /// - Parameter flags: in addition to `O_CREAT`, `O_EXCL` and `O_CLOEXEC`.
  package static func create(
    _ path: String, _ flags: Int32 = O_WRONLY
  ) throws(SystemFailure) -> Int32 {
    let descriptor = try opened(
      Glibc.open(path, flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    fchmod(descriptor, 0o600)
    return descriptor
  }

  private static func opened(_ descriptor: Int32) throws(SystemFailure) -> Int32 {
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
    return descriptor
  }

  /// Replaces the file at `path` by one with these bytes, piece after piece: a reader finds the old
  /// or the new one, whole. The folder must exist.
  ///
  /// - Parameter temporary: the path under which the new file is written; by default that of the
  ///   file with the process ID behind it.
  /// - Throws: `SystemFailure`; the old file is then unchanged.
  package static func replace(
    _ path: String, with pieces: [[UInt8]], temporary: String? = nil
  ) throws(SystemFailure) {
    let temporary = temporary ?? "\(path).\(getpid())"
    unlink(temporary)
    let descriptor = try create(temporary)
    do throws(SystemFailure) {
      for piece in pieces { try Output.write(piece, to: descriptor) }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    // Some file systems report only here that there was no room.
    guard close(descriptor) == 0, rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw SystemFailure(code: code)
    }
  }

  /// Creates a folder and the missing ones around it.
  package static func makeFolder(_ path: String) throws(SystemFailure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) == 0 {
        chmod(made, 0o700)
        continue
      }
      // The folders around it may exist where the user may not create any.
      let code = errno
      var status = stat()
      guard code == EEXIST || stat(made, &status) == 0 else { throw SystemFailure(code: code) }
    }
  }
}

import System

/// The files of a cache. Every call may block on the disk.
///
/// 1. A file appears under its name whole or not at all: it is written under a temporary name and
///    then renamed. A scan of the folder removes temporary files that a crash left behind.
/// 2. Several programs may use one folder: each file is valid by itself, and a file that has
///    vanished counts as absent.
/// 3. A file's modification time is the time of its last recorded use (`touch`).
struct CacheFolder: Sendable {
  /// A file of the cache.
  struct File {
    let name: String
    /// At most `largest`.
    let bytes: Int
    /// The time of its last use, in seconds since 1970.
    let used: Double
  }

  static let suffix = ".entry"
  private static let temporarySuffix = ".new"
  /// Seconds after which a file that is still being written counts as left behind by a crash.
  private static let abandoned = 3_600.0
  /// The largest size that is reported for a file, 1 TiB: a sparse file may claim any size, and the
  /// sum of all sizes must not overflow.
  private static let largest = 1 << 40

  let path: String

  // MARK: One file

  /// The file's bytes and the time of its last use, in seconds since 1970. `nil` if it is absent,
  /// unreadable, not a regular file, larger than `limit`, or truncated meanwhile.
  func read(_ name: String, limit: Int) -> (bytes: [UInt8], used: Double)? {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size >= 0, status.st_size <= limit
    else { return nil }
    let length = Int(status.st_size)
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length {
        let part = System.read(descriptor, buffer.baseAddress.map { $0 + count }, length - count)
        if part < 0, errno == EINTR { continue }
        // The read failed, or another program has truncated the file since `fstat`.
        guard part > 0 else {
          failed = true
          return
        }
        count += part
      }
    }
    guard !failed else { return nil }
    return (bytes, Self.seconds(status.st_mtim))
  }

  /// Writes `pieces`, one after the other, to the file `name`, and replaces an existing one.
  ///
  /// - Parameter unique: a number that no other write of this process to the folder uses at the
  ///   same time.
  func write(_ pieces: [[UInt8]], as name: String, unique: Int) throws(SystemFailure) {
    let temporary = file("\(name).\(getpid())-\(unique)\(Self.temporarySuffix)")
    func replace() throws(SystemFailure) {
      try PrivateFiles.replace(file(name), with: pieces, temporary: temporary)
    }
    do throws(SystemFailure) {
      try replace()
    } catch {
      guard error.code == ENOENT else { throw error }
      // The folder was never created, or was deleted while the program ran.
      try make()
      try replace()
    }
  }

  func remove(_ name: String) { unlink(file(name)) }

  /// Sets the file's time of use to now.
  func touch(_ name: String) { utimensat(AT_FDCWD, file(name), nil, AT_SYMLINK_NOFOLLOW) }

  // MARK: All of them

  /// Creates the folder and its parents.
  func make() throws(SystemFailure) { try PrivateFiles.makeFolder(path) }

  /// The files of responses, in no particular order; removes temporary files left by crashes.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `SystemFailure` if the folder cannot be read; a missing one has no files.
  /// - Complexity: O(files).
  func files(now: Double) throws(SystemFailure) -> [File] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw SystemFailure(code: errno)
    }
    defer { closedir(folder) }
    var files: [File] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let isTemporary = name.hasSuffix(Self.temporarySuffix)
      guard isTemporary || name.hasSuffix(Self.suffix) else { continue }
      var status = stat()
      guard lstat(file(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let used = Self.seconds(status.st_mtim)
      if isTemporary {
        if used < now - Self.abandoned { remove(name) }
      } else {
        files.append(File(name: name, bytes: min(Int(status.st_size), Self.largest), used: used))
      }
    }
    return files
  }

  private func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func seconds(_ time: timespec) -> Double {
    Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

import Dispatch
import Synchronization
import System

/// The bytes of an open file, pipe or terminal, read in order or by position.
///
/// Asynchronous reads block a separate queue, never a thread of the concurrency pool, because a
/// pipe may stay silent forever.
package final class FileBytes: Sendable {
  let descriptor: Int32
  private let closesDescriptor: Bool
  private let queue = DispatchQueue(label: "tideline.file-bytes")
  /// The size in bytes of a regular file; `nil` for pipes and devices.
  package let size: Int?
  /// Whether to wait for a writer before reading: a named pipe without a writer looks like one at
  /// its end.
  private let waitsForWriter: Bool
  private let readCount = Atomic(0)

  /// Opens the file at `path` without waiting; only reading waits for the writer of a named pipe.
  ///
  /// - Throws: `SourceError` with `.missing`, `.isDirectory`, `.noPermission` or `.unreadable`.
  package convenience init(path: String) throws(SourceError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.error(errno, path: path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.error(code, path: path)
    }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else {
      close(descriptor)
      throw SourceError(source: .file(path), reason: .isDirectory)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    self.init(
      descriptor: descriptor, closes: true, size: kind == S_IFREG ? Int(status.st_size) : nil,
      waitsForWriter: kind == S_IFIFO)
  }

  /// Standard input. It has a size if it is a regular file from which nothing was read.
  package static var standardInput: FileBytes {
    var status = stat()
    let isFile = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = isFile && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 ? Int(status.st_size) : nil
    return FileBytes(descriptor: STDIN_FILENO, closes: false, size: size)
  }

  init(descriptor: Int32, closes: Bool, size: Int?, waitsForWriter: Bool = false) {
    self.descriptor = descriptor
    self.closesDescriptor = closes
    self.size = size
    self.waitsForWriter = waitsForWriter
  }

  deinit { if closesDescriptor { close(descriptor) } }

  private static func error(_ code: Int32, path: String) -> SourceError {
    let reason: SourceError.Reason =
      switch code {
      case ENOENT, ENOTDIR: .missing
      case EACCES, EPERM: .noPermission
      case EISDIR: .isDirectory
      default: .unreadable(code: code, byte: 0)
      }
    return SourceError(source: .file(path), reason: reason)
  }

  /// The number of bytes read by position so far, which measures the work of opening and jumping.
  var bytesReadByPosition: Int { readCount.load(ordering: .relaxed) }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Returns: the number of bytes read; fewer than requested only at the end of the file.
  /// - Throws: `errno` of the call that failed.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemFailure) -> Int {
    var filled = 0
    while filled < buffer.count {
      let got = pread(
        descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled,
        off_t(offset + filled))
      if got < 0 {
        if errno == EINTR { continue }
        throw SystemFailure(code: errno)
      }
      if got == 0 { break }
      filled += got
    }
    readCount.add(filled, ordering: .relaxed)
    return filled
  }

  /// The bytes in `range`; fewer only at the end of the file.
  ///
  /// - Throws: `errno` of the call that failed.
  package func read(_ range: Range<Int>) throws(SystemFailure) -> [UInt8] {
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, used in
      do throws(SystemFailure) {
        used = try read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The outcome of one read: some bytes, none at the end, or the `errno` of its failure.
  enum Outcome: Sendable {
    case bytes([UInt8])
    case end
    case failed(Int32)
  }

  /// Sets the position at which reading in order continues; false if that is impossible.
  func seek(to offset: Int) -> Bool { lseek(descriptor, off_t(offset), SEEK_SET) >= 0 }

  /// `SEEK_DATA`, which the C library declares only with its GNU extensions.
  private static let seekData: Int32 = 3

  /// The first byte from `offset` on that the file system stores for a regular file; all bytes
  /// before it are zero. `offset` if that is unknown; the file's size or more if no more are
  /// stored.
  func nextStored(from offset: Int) -> Int {
    let place = lseek(descriptor, 0, SEEK_CUR)
    defer { _ = lseek(descriptor, place, SEEK_SET) }
    let found = lseek(descriptor, off_t(offset), Self.seekData)
    return found >= 0 ? Int(found) : errno == ENXIO ? .max : offset
  }

  /// Reads up to `count` bytes, as soon as there are any.
  func read(atMost count: Int) async -> Outcome {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.readNow(atMost: count)) }
    }
  }

  func readNow(atMost count: Int) -> Outcome {
    if waitsForWriter { waitForBytes() }
    while true {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
        let got = systemRead(descriptor, buffer.baseAddress, count)
        code = got < 0 ? errno : 0
        used = max(0, got)
      }
      switch code {
      case 0: return bytes.isEmpty ? .end : .bytes(bytes)
      case EINTR: continue
      case EAGAIN: waitForBytes()
      default: return .failed(code)
      }
    }
  }

  /// Waits until there are bytes, or the last writer has closed the pipe.
  private func waitForBytes() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) < 0, errno == EINTR {}
  }
}

// Inside the type its methods of the same name hide the system's function.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
  -> Int
{
  read(descriptor, buffer, count)
}

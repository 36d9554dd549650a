import Dispatch
import Synchronization
import System

/// The bytes of an open file, pipe or terminal, in order, read in the background.
///
/// Reads block a queue of their own, never a thread of the concurrency pool: a pipe may stay silent
/// for ever.
public final class FileBytes: Sendable {
  let descriptor: Int32
  private let closesDescriptor: Bool
  private let queue = DispatchQueue(label: "tideline.file-bytes")
  /// Size in bytes where the file has one; nil for pipes and devices.
  public let size: Int?
  /// Whether reading waits for a writer first: a named pipe without a writer looks like one at its
  /// end.
  private let waitsForWriter: Bool
  private let readCount = Atomic(0)

  /// Opens the file at `path`, at once: of a named pipe it is reading that waits for its writer.
  ///
  /// - Throws: `SourceError` with `.missing`, `.isDirectory`, `.noPermission` or `.unreadable`.
  public convenience init(path: String) throws(SourceError) {
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

  /// The bytes of standard input; it has a size where it is a file that nothing was read of.
  public static var standardInput: FileBytes {
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

  /// Bytes read by place so far: the work that opening and jumping cost.
  var bytesReadByPlace: Int { readCount.load(ordering: .relaxed) }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Returns: how many there were: fewer than asked for only at the file's end.
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

  /// The bytes in `range`, fewer only at the file's end.
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

  /// Has what is read in order go on at `offset`; false where it cannot.
  func seek(to offset: Int) -> Bool { lseek(descriptor, off_t(offset), SEEK_SET) >= 0 }

  /// `SEEK_DATA`, which the C library shows to its own extensions alone.
  private static let seekData: Int32 = 3

  /// The first byte from `offset` on that the file system keeps for a regular file: all before it
  /// are zero. `offset` where it cannot tell, the file's size or more where nothing is kept.
  func nextStored(from offset: Int) -> Int {
    let place = lseek(descriptor, 0, SEEK_CUR)
    defer { _ = lseek(descriptor, place, SEEK_SET) }
    let found = lseek(descriptor, off_t(offset), Self.seekData)
    return found >= 0 ? Int(found) : errno == ENXIO ? .max : offset
  }

  /// Up to `count` bytes, as soon as there are any.
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

  /// Returns when there are bytes, or the last writer has left.
  private func waitForBytes() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) < 0, errno == EINTR {}
  }
}

// Inside a type with a method of the same name the system's function needs a name of its own.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
  -> Int
{
  read(descriptor, buffer, count)
}

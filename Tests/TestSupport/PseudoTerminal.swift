import CVTerm
import Glibc

/// An extent in terminal cells with the size of a cell in pixels.
public struct TerminalSize: Hashable, Sendable {
  public var columns: Int
  public var rows: Int
  /// Width and height of a cell in pixels; 0 if the terminal does not report it.
  public var cellWidth: Int
  public var cellHeight: Int

  public init(columns: Int, rows: Int, cellWidth: Int = 8, cellHeight: Int = 16) {
    self.columns = columns
    self.rows = rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
  }
}

/// The terminal's end of a pseudo-terminal pair. Owned by one ``TerminalSession``.
final class PseudoTerminal {
  /// The result of a read.
  enum Reading {
    case bytes([UInt8])
    /// No input at present; more may come.
    case nothing
    /// Every program has closed its end.
    case closed
  }

  let descriptor: Int32
  /// The path of the programs' end, which becomes the controlling terminal of a session leader that
  /// opens it.
  let path: String

  init(size: TerminalSize) throws {
    descriptor = posix_openpt(O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else {
      throw HarnessError.system(call: "posix_openpt", argument: "", code: errno)
    }
    var name = [CChar](repeating: 0, count: 128)
    guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
      ptsname_r(descriptor, &name, name.count) == 0
    else {
      let code = errno
      close(descriptor)
      throw HarnessError.system(call: "ptsname_r", argument: "", code: code)
    }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    try resize(to: size)
  }

  deinit { close(descriptor) }

  /// Sets the size; the kernel sends SIGWINCH to the foreground programs when it changes.
  func resize(to size: TerminalSize) throws {
    var window = winsize(
      ws_row: UInt16(clamping: size.rows), ws_col: UInt16(clamping: size.columns),
      ws_xpixel: UInt16(clamping: size.columns * size.cellWidth),
      ws_ypixel: UInt16(clamping: size.rows * size.cellHeight))
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &window) == 0 else {
      throw HarnessError.system(call: "ioctl", argument: "TIOCSWINSZ", code: errno)
    }
  }

  /// The input that has arrived, without waiting.
  func read() -> Reading {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { return .bytes(Array(buffer[..<count])) }
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return .nothing }
    return .closed
  }

  /// Writes as much of `bytes` as the terminal accepts now, and returns that number.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { buffer in
      max(0, Glibc.write(descriptor, buffer.baseAddress, buffer.count))
    }
  }

  /// Bytes that programs have not read yet, while the terminal is in raw mode.
  func unreadByPrograms() throws -> Int {
    let end = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard end >= 0 else { throw HarnessError.system(call: "open", argument: path, code: errno) }
    defer { close(end) }
    var count: Int32 = 0
    guard ioctl(end, UInt(FIONREAD), &count) == 0 else {
      throw HarnessError.system(call: "ioctl", argument: "FIONREAD", code: errno)
    }
    return Int(count)
  }

  /// The settings that programs have made on the terminal.
  func attributes() throws -> termios {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else {
      throw HarnessError.system(call: "tcgetattr", argument: path, code: errno)
    }
    return attributes
  }
}

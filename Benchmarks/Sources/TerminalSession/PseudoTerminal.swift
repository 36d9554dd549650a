import CPseudoTerminal
import Glibc

/// The extent of a terminal in cells.
package struct TerminalSize {
  /// Pixels of a cell, as the terminal says when asked.
  package static let cellWidth = 8
  package static let cellHeight = 16

  package var columns: Int
  package var rows: Int

  package init(columns: Int = 200, rows: Int = 50) {
    (self.columns, self.rows) = (columns, rows)
  }
}

/// The terminal's end of a pseudo-terminal. Closing it, which hangs the programs up, is up to
/// `deinit`.
package final class PseudoTerminal {
  package enum Reading {
    case bytes(ArraySlice<UInt8>)
    /// Nothing came in time.
    case nothing
    /// Every program has closed its end.
    case closed
  }

  /// The programs' end, which becomes the terminal of a session leader that opens it.
  package let path: String
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  package init() throws(BenchmarkError) {
    descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
      let name = ptsname(descriptor)
    else { throw .system(call: "posix_openpt", subject: "", code: errno) }
    path = String(cString: name)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// The programs are told by SIGWINCH.
  package func resize(to size: TerminalSize) throws(BenchmarkError) {
    var window = winsize(
      ws_row: UInt16(size.rows), ws_col: UInt16(size.columns),
      ws_xpixel: UInt16(size.columns * TerminalSize.cellWidth),
      ws_ypixel: UInt16(size.rows * TerminalSize.cellHeight))
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &window) == 0 else {
      throw .system(call: "ioctl", subject: "TIOCSWINSZ", code: errno)
    }
  }

  /// Waits, at most so long, until there is something to read, or room to write where `orRoom`.
  package func wait(_ limit: Duration, orRoom: Bool = false) throws(BenchmarkError) {
    try Interruption.check()
    let events = Int16(POLLIN) | (orRoom ? Int16(POLLOUT) : 0)
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    // To the next millisecond, so that a short rest is not spent polling.
    let milliseconds = Int32(max(0, limit / .milliseconds(1)).rounded(.up))
    _ = poll(&polled, 1, milliseconds)
    try Interruption.check()
  }

  /// What has come, without waiting. The bytes are good until the next call.
  package func read() -> Reading {
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { return .bytes(buffer[..<count]) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .closed
  }

  /// Writes as much as the terminal takes now.
  ///
  /// - Returns: how many bytes those were.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { bytes in
      max(0, Glibc.write(descriptor, bytes.baseAddress, bytes.count))
    }
  }
}

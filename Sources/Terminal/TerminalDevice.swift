import Geometry
import Glibc
import Pixels

/// The terminal's two descriptors and the settings it was found with.
struct TerminalDevice {
  /// Keys come from here: standard input where it is a terminal, else `/dev/tty`.
  let input: Int32
  /// What is drawn goes here: standard output where it is a terminal, else `/dev/tty`.
  let output: Int32
  /// The settings to give back.
  let settings: termios

  /// Opens the terminal without changing it.
  init() throws(TerminalError) {
    let output = try Self.descriptor(STDOUT_FILENO)
    let input: Int32
    do throws(TerminalError) {
      input = try Self.descriptor(STDIN_FILENO)
    } catch {
      // No controlling terminal, but one to write to: terminals are open both ways.
      guard isatty(STDOUT_FILENO) == 1 else {
        Glibc.close(output)
        throw error
      }
      input = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    }
    try self.init(input: input, output: output)
  }

  /// Takes over two open descriptors of a terminal; closes them where it throws.
  init(input: Int32, output: Int32) throws(TerminalError) {
    self.input = input
    self.output = output
    var found = termios()
    guard tcgetattr(input, &found) == 0 else {
      let code = errno
      Glibc.close(input)
      Glibc.close(output)
      throw .system(call: "tcgetattr", errno: code)
    }
    settings = found
  }

  private static func descriptor(_ standard: Int32) throws(TerminalError) -> Int32 {
    if isatty(standard) == 1 {
      let copy = fcntl(standard, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw .system(call: "dup", errno: errno) }
      return copy
    }
    let opened = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { throw .noTerminal(errno: errno) }
    return opened
  }

  /// Every byte typed comes at once, unchanged and without echo; no key makes a signal.
  func setRaw() {
    var raw = settings
    cfmakeraw(&raw)
    set(raw)
  }

  /// Gives back the settings it was found with.
  func restore() { set(settings) }

  private func set(_ value: termios) {
    var value = value
    while tcsetattr(input, TCSANOW, &value) != 0 && errno == EINTR {}
  }

  /// Columns, rows and, where the terminal tells, the pixels of one cell; nil where nothing is told.
  func windowSize() -> (cells: Size, cell: PixelSize?)? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    let size = Size(width: Int(window.ws_col), height: Int(window.ws_row))
    let cell = PixelSize.cell(
      width: Int(window.ws_xpixel) / size.width, height: Int(window.ws_ypixel) / size.height)
    return (size, cell)
  }

  /// Writes all of `bytes`; false where the terminal is gone.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.write(output, $0.baseAddress, $0.count)
      }
      if count > 0 {
        done += count
      } else if !(count < 0 && errno == EINTR) {
        return false
      }
    }
    return true
  }

  /// What a read found.
  enum ReadResult {
    case bytes([UInt8])
    /// Nothing for now.
    case nothing
    /// The terminal is gone.
    case end
  }

  /// Bytes read at once at most: as many as the stack is used for.
  static let readLimit = 1024

  /// Reads what is there, waiting at most `milliseconds` for the first byte.
  func read(waiting milliseconds: Int32 = 0) -> ReadResult {
    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    let ready = poll(&request, 1, milliseconds)
    guard ready > 0 else { return .nothing }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.readLimit) { buffer in
      let count = Glibc.read(input, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(Array(buffer.prefix(count))) }
      return count < 0 && (errno == EINTR || errno == EAGAIN) ? .nothing : .end
    }
  }

  func close() {
    Glibc.close(input)
    Glibc.close(output)
  }
}

import CTerminalRestoration
import Geometry
import Pixels
import System

/// The terminal's two descriptors and its original settings.
struct TerminalDevice {
  /// The descriptor for keys: standard input if it is a terminal, else `/dev/tty`, else standard
  /// output if it is open for reading.
  let input: Int32
  /// The descriptor for output: standard output if it is a terminal, else `/dev/tty`.
  let output: Int32
  /// The settings to restore.
  let settings: termios

  /// Opens the terminal without changing it.
  ///
  /// - Throws: `TerminalError.noTerminal`, or `.system` if a system call fails.
  init() throws(TerminalError) {
    let output = try Self.descriptor(STDOUT_FILENO, for: .writing)
    let input: Int32
    do throws(TerminalError) {
      input = try Self.descriptor(STDIN_FILENO, for: .reading)
    } catch {
      // There is no controlling terminal, but a terminal as standard output, which is usually open
      // both ways.
      guard Self.isTerminal(STDOUT_FILENO, for: .reading),
        let copy = try? Self.duplicate(STDOUT_FILENO)
      else {
        Glibc.close(output)
        throw error
      }
      input = copy
    }
    try self.init(input: input, output: output)
  }

  /// The use of a terminal's descriptor.
  private enum Use { case reading, writing }

  /// Takes over two open descriptors of a terminal; closes them if it throws.
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

  private static func descriptor(_ standard: Int32, for use: Use) throws(TerminalError) -> Int32 {
    if isTerminal(standard, for: use) { return try duplicate(standard) }
    let opened = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { throw .noTerminal(errno: errno) }
    return opened
  }

  /// Whether a descriptor is a terminal and open for this use: it may be open one way only, as in
  /// `2>/dev/tty <&2`.
  private static func isTerminal(_ standard: Int32, for use: Use) -> Bool {
    let flags = fcntl(standard, F_GETFL)
    guard flags >= 0, isatty(standard) == 1 else { return false }
    return flags & O_ACCMODE != (use == .reading ? O_WRONLY : O_RDONLY)
  }

  private static func duplicate(_ standard: Int32) throws(TerminalError) -> Int32 {
    let copy = fcntl(standard, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(call: "dup", errno: errno) }
    return copy
  }

  /// Makes every typed byte available at once, unchanged and without echo; no key causes a signal.
  ///
  /// - Returns: false if the terminal is gone, or belongs to another program.
  @discardableResult
  func setRaw() -> Bool {
    var raw = settings
    cfmakeraw(&raw)
    return set(raw)
  }

  /// Calls `body` with the original settings restored, and sets the present ones again, unless the
  /// terminal belongs to another program by then.
  func withOriginalSettings(_ body: () -> Void) {
    var current = termios()
    let isKnown = tcgetattr(input, &current) == 0
    restore()
    body()
    if isKnown, tcgetpgrp(input) == getpgrp() { _ = set(current) }
  }

  /// Restores the original settings.
  func restore() { _ = set(settings) }

  private func set(_ value: termios) -> Bool {
    var value = value
    while tcsetattr(input, TCSANOW, &value) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Makes sure that the terminal is restored however the program ends: its settings, then `bytes`,
  /// at `exit`, on crashes and on the signals that a ``SignalPipe`` has taken over.
  func armRestoration(_ bytes: [UInt8]) {
    terminal_restoration_install()
    terminal_restoration_protect_thread()
    var settings = settings
    terminal_restoration_arm(output, &settings, bytes, bytes.count)
  }

  /// Drops input and answers that have not been read yet.
  func dropInput() { tcflush(input, TCIFLUSH) }

  /// The window's size as the terminal reports it; `nil` if it reports none.
  func window() -> TerminalWindow? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0 else { return nil }
    return TerminalWindow(
      columns: Int(window.ws_col), rows: Int(window.ws_row),
      pixels: PixelSize(width: Int(window.ws_xpixel), height: Int(window.ws_ypixel)))
  }

  /// Writes all of `bytes`; returns false if the terminal is gone.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    do throws(SystemFailure) {
      try Output.write(bytes, to: output, by: terminal_write)
      return true
    } catch {
      return false
    }
  }

  /// Why a read with a time limit has ended.
  enum ReadingEnd {
    /// `take` needs no more bytes.
    case satisfied
    case hasTimedOut
    /// The other descriptor is readable.
    case interrupted
    /// The terminal is gone.
    case gone
  }

  /// Passes all input to `take` until it returns false, for `limit` at most; with 0, the available
  /// input, at most ``readLimit`` bytes.
  ///
  /// - Parameter other: a descriptor that ends the read as soon as it is readable; -1 for none.
  func read(
    within limit: Duration, or other: Int32 = -1, _ take: ([UInt8]) -> Bool
  ) -> ReadingEnd {
    let end = ContinuousClock.now + limit
    while true {
      let left = ContinuousClock.now.duration(to: end).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      var requests = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&requests, 2, Int32(clamping: max(0, milliseconds)))
      if count > 0, requests[1].revents != 0 { return .interrupted }
      switch read() {
      case .bytes(let bytes): if !take(bytes) { return .satisfied }
      case .nothing: break
      case .end: return .gone
      }
      if milliseconds <= 0 { return .hasTimedOut }
    }
  }

  /// Reads and drops input until `parser` expects no more replies, for `limit` at most. Does
  /// nothing if it expects none.
  func discardReplies(to parser: inout InputParser, within limit: Duration) {
    guard parser.expectsReplies else { return }
    let end = read(within: limit) { bytes in
      _ = parser.feed(bytes)
      return parser.expectsReplies
    }
    if end == .satisfied { noteQueries(areOpen: false) }
    dropInput()
  }

  /// Notes whether answers are outstanding. If they are, the handlers that restore the terminal
  /// after signals, crashes and `exit` wait up to 250 ms for the last one.
  func noteQueries(areOpen: Bool) { terminal_restoration_await_answers(areOpen ? input : -1) }

  /// The result of a read.
  enum ReadResult {
    case bytes([UInt8])
    /// Nothing for now.
    case nothing
    /// The terminal is gone.
    case end
  }

  /// The most bytes of one read; the buffer is on the stack.
  static let readLimit = 1024

  /// Whether input is waiting to be read.
  var hasInput: Bool {
    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Reads the available input.
  func read() -> ReadResult {
    guard hasInput else { return .nothing }
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

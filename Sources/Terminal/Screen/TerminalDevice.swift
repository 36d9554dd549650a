import CTerminalRestoration
import Geometry
import Pixels
import System

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
    let output = try Self.descriptor(STDOUT_FILENO, for: .writing)
    let input: Int32
    do throws(TerminalError) {
      input = try Self.descriptor(STDIN_FILENO, for: .reading)
    } catch {
      // No controlling terminal, but one to write to: terminals are open both ways.
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

  /// What a terminal's descriptor is used for.
  private enum Use { case reading, writing }

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

  private static func descriptor(_ standard: Int32, for use: Use) throws(TerminalError) -> Int32 {
    if isTerminal(standard, for: use) { return try duplicate(standard) }
    let opened = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { throw .noTerminal(errno: errno) }
    return opened
  }

  /// A terminal may be open one way only, as in `2>/dev/tty <&2`.
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

  /// Every byte typed comes at once, unchanged and without echo; no key makes a signal.
  ///
  /// - Returns: false where the terminal is gone, or belongs to another program.
  @discardableResult
  func setRaw() -> Bool {
    var raw = settings
    cfmakeraw(&raw)
    return set(raw)
  }

  /// Does `body` with the settings it was found with, and sets those of now again, unless it is
  /// another program's by then.
  func withSettingsGivenBack(_ body: () -> Void) {
    var current = termios()
    let isKnown = tcgetattr(input, &current) == 0
    restore()
    body()
    if isKnown, tcgetpgrp(input) == getpgrp() { _ = set(current) }
  }

  /// Gives back the settings it was found with.
  func restore() { _ = set(settings) }

  private func set(_ value: termios) -> Bool {
    var value = value
    while tcsetattr(input, TCSANOW, &value) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Has the terminal given back however the program ends: its settings, then `bytes`, at `exit`,
  /// on crashes and on the signals that a ``SignalPipe`` has taken over.
  func armRestoration(_ bytes: [UInt8]) {
    terminal_restoration_install()
    terminal_restoration_protect_thread()
    var settings = settings
    terminal_restoration_arm(output, &settings, bytes, bytes.count)
  }

  /// Drops what was typed, and answered, and not read yet.
  func dropInput() { tcflush(input, TCIFLUSH) }

  /// The window as the terminal tells it; nil where it tells nothing.
  func window() -> TerminalWindow? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0 else { return nil }
    return TerminalWindow(
      columns: Int(window.ws_col), rows: Int(window.ws_row),
      pixels: PixelSize(width: Int(window.ws_xpixel), height: Int(window.ws_ypixel)))
  }

  /// Writes all of `bytes`; false where the terminal is gone.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    do throws(SystemFailure) {
      try Output.write(bytes, to: output, by: terminal_write)
      return true
    } catch {
      return false
    }
  }

  /// Why reading for a time has ended.
  enum ReadingEnd {
    /// What came last was enough.
    case satisfied
    case timeIsOver
    /// The other descriptor can be read.
    case interrupted
    /// The terminal is gone.
    case gone
  }

  /// Hands all that comes to `take` until it returns false, at most for `limit`.
  ///
  /// - Parameter other: a descriptor that ends it as soon as it can be read; -1 for none.
  func read(
    within limit: Duration, or other: Int32 = -1, _ take: ([UInt8]) -> Bool
  ) -> ReadingEnd {
    let end = ContinuousClock.now + limit
    while true {
      let left = ContinuousClock.now.duration(to: end).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      guard milliseconds > 0 else { return .timeIsOver }
      var requests = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&requests, 2, Int32(clamping: milliseconds))
      if count > 0, requests[1].revents != 0 { return .interrupted }
      switch read() {
      case .bytes(let bytes): if !take(bytes) { return .satisfied }
      case .nothing: continue
      case .end: return .gone
      }
    }
  }

  /// Reads and drops what comes until `parser` expects no replies any more, at most for `limit`, and
  /// all that has come by then. Nothing where it expects none.
  func dropAnswers(to parser: inout InputParser, within limit: Duration) {
    guard parser.expectsReplies else { return }
    let end = read(within: limit) { bytes in
      _ = parser.feed(bytes)
      return parser.expectsReplies
    }
    if end == .satisfied { noteQuestions(areOpen: false) }
    dropInput()
  }

  /// Whether answers are under way, which must not come to the shell: where they are, what gives
  /// the terminal back on signals, crashes and at `exit` waits for the last of them for a quarter
  /// of a second.
  func noteQuestions(areOpen: Bool) { terminal_restoration_await_answers(areOpen ? input : -1) }

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

  /// Whether something waits to be read.
  var hasInput: Bool {
    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Reads what is there.
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

import System

/// A file of settings, one a line, in the words that can be typed after `:` as well:
///
///     # a comment
///     bind J page-down       # keys by their names, and a command by its
///     bind ctrl-t top
///     bind zx toggle-cover
///     unbind q
///     set animation off
public struct ConfigurationFile: Sendable {
  /// Where it is.
  public let path: String
  private let mayBeMissing: Bool

  /// Bytes; more are not read.
  public static let maximumBytes = 64 << 10

  /// The file at `path`, which is to be there.
  public init(path: String) {
    self.path = path
    mayBeMissing = false
  }

  /// The user's file for a program, which need not be there: `config` in the program's folder of
  /// `$XDG_CONFIG_HOME`, or of `~/.config`; nil where there is no home.
  public init?(
    of program: String, environment: [String: String] = ProcessEnvironment.variables
  ) {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      path = "\(folder)/\(program)/config"
    } else if let home = environment["HOME"], !home.isEmpty {
      path = "\(home)/.config/\(program)/config"
    } else {
      return nil
    }
    mayBeMissing = true
  }

  /// Why it cannot be read, in a few words; nil where it can, and where it may be missing.
  ///
  /// - Complexity: O(n) in its bytes, of which ``maximumBytes`` are read at most.
  package var readingProblem: String? {
    do throws(CommandRefusal) {
      _ = try read()
      return nil
    } catch {
      return error.reason
    }
  }

  /// What could be read: its lines without comments, and what is wrong with the rest.
  var content: (lines: [Substring], trouble: String?) {
    var bytes: [UInt8]
    do throws(CommandRefusal) {
      // None where it is missing and may be.
      bytes = try read() ?? []
    } catch {
      return ([], error.reason)
    }
    var trouble: String?
    if bytes.count > Self.maximumBytes {
      // The line that is cut there could say something else than the whole one.
      let whole = bytes[..<Self.maximumBytes].lastIndex(of: UInt8(ascii: "\n")) ?? 0
      bytes.removeSubrange(whole...)
      let count = bytes.count { $0 == UInt8(ascii: "\n") } + (bytes.isEmpty ? 0 : 1)
      trouble =
        "larger than \(Self.maximumBytes >> 10) kB: what stands after line \(count) is not read"
    }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (lines.map(Self.withoutComment), trouble)
  }

  /// What follows a command's name, in each line that begins with it: for what has to be known
  /// before there is an application.
  ///
  /// - Complexity: O(n) in the bytes of the file, of which ``maximumBytes`` are read at most.
  public func arguments(ofCommand name: String) -> [String] {
    content.lines.compactMap(CommandWords.init).filter { $0.name == name }.map(\.argument)
  }

  /// Adds a line at the end. The file, and folders around it, are made where there are none, for
  /// the user alone.
  ///
  /// - Throws: `SystemFailure` where the file system does not let it.
  package func append(_ line: String) throws(SystemFailure) {
    // The user's own folder alone: one that an option names is there.
    if mayBeMissing, let slash = path.lastIndex(of: "/") {
      try PrivateFiles.makeFolder(String(path[..<slash]))
    }
    let descriptor = try PrivateFiles.open(path, O_RDWR | O_APPEND | O_NONBLOCK)
    defer { close(descriptor) }
    var last = UInt8(ascii: "\n")
    let size = lseek(descriptor, 0, SEEK_END)
    if size > 0 { _ = pread(descriptor, &last, 1, size - 1) }
    let bytes = (last == UInt8(ascii: "\n") ? "" : "\n") + line + "\n"
    try Output.write(Array(bytes.utf8), to: descriptor)
  }

  /// A comment is a line, or stands behind a setting: a `#` after the name alone is a key.
  private static func withoutComment(_ line: Substring) -> Substring {
    let words = line.split(whereSeparator: \.isWhitespace)
    for (index, word) in words.enumerated() where index != 1 && word.first == "#" {
      return line[..<word.startIndex]
    }
    return line
  }

  /// Its bytes, one more than allowed at most; nil where it is missing and may be.
  private func read() throws(CommandRefusal) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT, mayBeMissing { return nil }
      throw CommandRefusal(reason: SystemFailure.message(of: errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandRefusal(reason: "not a file")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= Self.maximumBytes {
      let count = System.read(descriptor, &piece, piece.count)
      guard count >= 0 || errno == EINTR else {
        throw CommandRefusal(reason: SystemFailure.message(of: errno))
      }
      guard count != 0 else { break }
      if count > 0 { bytes += piece[..<count] }
    }
    return bytes
  }
}

import System

/// A file of commands, one a line, written as after `:`:
///
///     # a comment
///     bind J page-down       # a key and a command, by their names
///     bind ctrl-t top
///     bind zx toggle-cover
///     unbind q
///     set animation off
public struct ConfigurationFile: Sendable {
  /// The file's path.
  public let path: String
  private let mayBeMissing: Bool

  /// The number of bytes that count at most; the rest is ignored and reported. `64 KiB`
  public static let maximumBytes = 64 << 10

  /// A file that must exist.
  public init(path: String) {
    self.path = path
    mayBeMissing = false
  }

  /// The user's own file for a program, which may be missing: `config` in the program's folder in
  /// `$XDG_CONFIG_HOME`, or in `~/.config`; `nil` if neither variable names a folder.
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

  /// Why the file cannot be read, in a few words; `nil` if it can be, or is missing and may be.
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

  /// The lines that could be read, without comments, and a problem with the file, if any.
  var content: (lines: [Substring], trouble: String?) {
    var bytes: [UInt8]
    do throws(CommandRefusal) {
      // The user's own file counts as empty if it is missing.
      bytes = try read() ?? []
    } catch {
      return ([], error.reason)
    }
    var trouble: String?
    if bytes.count > Self.maximumBytes {
      // A line cut in two could mean something else, so only whole lines are kept.
      let whole = bytes[..<Self.maximumBytes].lastIndex(of: UInt8(ascii: "\n")) ?? 0
      bytes.removeSubrange(whole...)
      let count = bytes.count { $0 == UInt8(ascii: "\n") } + (bytes.isEmpty ? 0 : 1)
      trouble =
        "larger than \(Self.maximumBytes.formattedBytes): what stands after line \(count) is not read"
    }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (lines.map(Self.withoutComment), trouble)
  }

  /// The arguments of each line with the command `name`, for settings that are needed before the
  /// application exists.
  ///
  /// - Complexity: O(n) in the bytes of the file, of which ``maximumBytes`` are read at most.
  public func arguments(ofCommand name: String) -> [String] {
    content.lines.compactMap(CommandWords.init).filter { $0.name == name }.map(\.argument)
  }

  /// Appends a line. Creates the file if it is missing, and the folders around it if it is the
  /// user's own file, accessible to the user only.
  ///
  /// - Throws: `SystemFailure` if the file system refuses.
  package func append(_ line: String) throws(SystemFailure) {
    // Only for the user's own file: the folder of a file named by an option must exist.
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

  /// A word that begins with `#` begins a comment, except for the second word: that is the key of
  /// `bind #`.
  private static func withoutComment(_ line: Substring) -> Substring {
    let words = line.split(whereSeparator: \.isWhitespace)
    for (index, word) in words.enumerated() where index != 1 && word.first == "#" {
      return line[..<word.startIndex]
    }
    return line
  }

  /// The file's bytes, at most 4 KiB beyond the limit; `nil` if the file is missing and
  /// may be.
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

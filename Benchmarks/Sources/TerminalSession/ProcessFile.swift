import FoundationEssentials
import Glibc

/// Reads what Linux tells of processes in its files. A process may end while it is looked at: then
/// there is nothing.
enum ProcessFile {
  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// What a `stat` has after the name in parentheses: state, parent, group, session and so on.
  static func fields(ofStat path: String) -> [Substring] {
    let text = text(path)
    guard let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(separator: " ")
  }

  static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}

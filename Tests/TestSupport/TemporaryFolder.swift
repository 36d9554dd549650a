import FoundationEssentials
import Glibc

/// A new folder in the system's temporary one, removed with all its contents at the end.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/tideline-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw HarnessError.system(call: "mkdtemp", argument: base, code: errno)
    }
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file in it, creating intermediate folders, and returns its path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = path + "/" + name
    if let slash = file.lastIndex(of: "/") {
      try FileManager.default.createDirectory(
        atPath: String(file[..<slash]), withIntermediateDirectories: true)
    }
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }

  /// Creates a folder in it, with intermediate folders; an existing one stays.
  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path + "/" + name, withIntermediateDirectories: true)
  }

  /// The names in a folder below it; empty if the folder does not exist.
  public func names(in name: String) throws -> [String] {
    let folder = path + "/" + name
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}

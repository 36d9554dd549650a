import FoundationEssentials
import Glibc

/// A folder of its own below the system's temporary one, removed with everything in it at the end.
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

  /// Writes a file below it, making the folders on the way, and returns its path.
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

  /// Makes a folder below it, and those around that; one that is there stays.
  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path + "/" + name, withIntermediateDirectories: true)
  }

  /// What is in a folder below it, by name; nothing where there is none.
  public func names(in name: String) throws -> [String] {
    let folder = path + "/" + name
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}

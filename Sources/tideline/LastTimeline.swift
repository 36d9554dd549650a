import FoundationEssentials
import TextLayout
import TimelineStore
import TimelineUI

/// The sources opened last, kept in the user's state folder, one a line.
enum LastTimeline {
  private static var path: String? { StateFolder.path.map { $0 + "/last" } }

  /// The sources, as they were; empty where none are remembered. Lines that `save` would not write
  /// are passed over.
  static func load() -> [TimelineSource] {
    guard let path, let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
      let source = TimelineSource(argument: String(line))
      switch source {
      case .url: return source
      case .file(let path): return path.hasPrefix("/") ? source : nil
      case .standardInput: return nil
      }
    }
  }

  /// Remembers `sources`; files by their absolute path.
  ///
  /// - Throws: what the file system says.
  static func save(_ sources: [TimelineSource]) throws {
    guard let path else { return }
    let here = FileManager.default.currentDirectoryPath
    let arguments = sources.compactMap { source -> String? in
      switch source {
      case .file(let path): path.hasPrefix("/") ? path : here + "/" + path
      case .url(let address): address.url
      case .standardInput: nil
      }
    }
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // A name with a line break in it cannot stand in a file of lines, and one that a terminal could
    // obey does not stand in it.
    guard arguments.allSatisfy({ Sanitizer.line($0) == $0 }) else { return }
    try Data((arguments.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(filePath: path), options: .atomic)
  }
}

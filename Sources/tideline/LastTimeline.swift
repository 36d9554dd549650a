import FoundationEssentials
import System
import TextLayout
import TimelineStore
import TimelineUI

/// The sources opened last, kept in the user's state folder, one a line.
enum LastTimeline {
  /// Sources that are remembered together.
  private static let maximumSources = 500
  /// Bytes of the file.
  private static let maximumBytes = 64 << 10

  private static var path: String? { StateFolder.path.map { $0 + "/last" } }

  /// The sources, as they were; empty where none are remembered. Lines that `save` would not write
  /// are passed over, and what is beyond its bounds is not read.
  static func load() -> [TimelineSource] {
    guard let path, let bytes = beginning(of: path) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.prefix(maximumSources).compactMap { line in
      let source = TimelineSource(argument: String(line))
      switch source {
      case .url: return source
      case .file(let path): return path.hasPrefix("/") ? source : nil
      case .standardInput: return nil
      }
    }
  }

  /// The whole lines in the first bytes of the file; nil where there is none.
  private static func beginning(of path: String) -> ArraySlice<UInt8>? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard FileIdentity(descriptor: descriptor)?.isRegular == true else { return nil }
    // One more than may be there: a line that is cut would name another file.
    var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    guard count > maximumBytes else { return bytes[..<count] }
    return bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)]
  }

  /// Remembers `sources`, for the user alone; files by their absolute path.
  ///
  /// - Returns: why they are not remembered, in a few words; nil where they are.
  /// - Throws: `SystemFailure`; what was remembered is as it was.
  static func save(_ sources: [TimelineSource]) throws(SystemFailure) -> String? {
    guard let path, let folder = StateFolder.path else { return nil }
    let here = FileManager.default.currentDirectoryPath
    let arguments = sources.compactMap { source -> String? in
      switch source {
      case .file(let path): path.hasPrefix("/") ? path : here + "/" + path
      case .url(let address): address.url
      case .standardInput: nil
      }
    }
    // A name with a line break in it cannot stand in a file of lines, and one that a terminal could
    // obey does not stand in it.
    guard arguments.allSatisfy({ Sanitizer.line($0) == $0 }) else {
      return "a name holds what no line can"
    }
    let bytes = Array((arguments.joined(separator: "\n") + "\n").utf8)
    guard arguments.count <= maximumSources, bytes.count <= maximumBytes else {
      return "there are too many sources"
    }
    try PrivateFiles.makeFolder(folder)
    try PrivateFiles.replace(path, with: bytes)
    return nil
  }
}

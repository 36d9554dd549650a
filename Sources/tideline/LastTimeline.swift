import System
import TextLayout
import TimelineStore
import TimelineUI

/// The sources opened last, kept in the user's state folder, one a line.
enum LastTimeline {
  /// The number of sources that are remembered at most.
  private static let maximumSources = 500
  /// The size of the file at most, in bytes.
  private static let maximumBytes = 64 << 10

  private static var path: String? { UserFolder.state.map { $0 + "/last" } }

  /// The remembered sources; empty if there are none. Lines that `save` would not write are
  /// skipped, and nothing beyond its limits is read.
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

  /// The whole lines at the beginning of the file; `nil` if there is no file.
  private static func beginning(of path: String) -> ArraySlice<UInt8>? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard FileIdentity(descriptor: descriptor)?.isRegular == true else { return nil }
    // One byte more than allowed, to detect a longer file: a truncated line would name another
    // source.
    var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    guard count > maximumBytes else { return bytes[..<count] }
    return bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)]
  }

  /// Remembers `sources` in a file that only the user can read; files by their absolute path.
  ///
  /// - Returns: why they are not remembered, in a few words; `nil` if they are, or if the user has
  ///   no folder for state.
  /// - Throws: `SystemFailure`; the remembered sources are then unchanged.
  static func save(_ sources: [TimelineSource]) throws(SystemFailure) -> String? {
    guard let path, let folder = UserFolder.state else { return nil }
    let here = SystemPaths.currentFolder
    let arguments = sources.compactMap { source -> String? in
      switch source {
      case .file(let path): path.hasPrefix("/") ? path : here + "/" + path
      case .url(let address): address.url
      case .standardInput: nil
      }
    }
    // A file of lines cannot contain a name with a line break, and must not contain control
    // characters.
    guard arguments.allSatisfy({ Sanitizer.line($0) == $0 }) else {
      return "a name holds what no line can"
    }
    let bytes = Array((arguments.joined(separator: "\n") + "\n").utf8)
    guard arguments.count <= maximumSources, bytes.count <= maximumBytes else {
      return "there are too many sources"
    }
    try PrivateFiles.makeFolder(folder)
    try PrivateFiles.replace(path, with: [bytes])
    return nil
  }
}

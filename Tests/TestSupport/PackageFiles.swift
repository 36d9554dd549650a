import FoundationEssentials

/// Files of the package itself.
public enum PackageFiles {
  /// The package's folder.
  public static var root: String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }

  /// The bytes of the file at `path`, which begins with "/" below the package's folder.
  public static func bytes(_ path: String) throws -> [UInt8] { try bytes(at: root + path) }

  /// The bytes of any file.
  public static func bytes(at path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }
}

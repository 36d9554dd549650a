import FoundationEssentials

/// Real feeds and pictures that may lie beside a checkout: `../shared/data`, or the folder that the
/// environment variable `TIDELINE_SHARED` names. Tests that use them pass where there are none.
public enum SharedData {
  /// The package's own folder.
  public static var packageRoot: String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }

  /// The folder `name` ("feeds", "pictures", "mastodon") where it exists, else nil.
  public static func folder(_ name: String) -> String? {
    let named = ProcessInfo.processInfo.environment["TIDELINE_SHARED"]
    for base in [named, packageRoot + "/../shared"].compactMap({ $0 }) {
      let path = base + "/data/" + name
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    return nil
  }

  /// The paths of all files of that folder in order of their names; empty where it does not exist.
  public static func files(in name: String) -> [String] {
    guard let folder = folder(name) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { folder + "/" + $0 }
  }

  /// The bytes of one file of it.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }
}

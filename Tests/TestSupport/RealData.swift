import FoundationEssentials
import Testing

/// Feeds and pictures of other programs, which the package does not contain: they are in the folder
/// that the environment variable `TIDELINE_SHARED` names.
///
/// Only suites with the trait ``Testing/Trait/realData`` use them, and `.ci/run` runs these in a
/// separate step: all other suites are the same everywhere.
public enum RealData {
  private static let folder: String? = ProcessInfo.processInfo.environment["TIDELINE_SHARED"]
    .map { $0 + "/data" }

  static var isThere: Bool {
    folder.map { FileManager.default.fileExists(atPath: $0) } ?? false
  }

  /// The paths of all files of the folder `name` ("feeds", "pictures", "mastodon"), sorted.
  public static func files(in name: String) throws -> [String] {
    let folder = try #require(folder) + "/" + name
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return names.sorted().map { folder + "/" + $0 }
  }
}

extension Trait where Self == ConditionTrait {
  /// The suite uses ``RealData`` and is skipped without it.
  public static var realData: Self {
    .enabled(if: RealData.isThere, "TIDELINE_SHARED names no folder with real feeds and pictures")
  }
}

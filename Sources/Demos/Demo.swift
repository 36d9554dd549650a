import ImageLoading
import Timeline

/// The demos that `tideline demo` knows, by name.
public enum Demo: String, CaseIterable, Sendable {
  case autolayout
  case placeholders

  /// One line for the list of demos.
  public var summary: String {
    switch self {
    case .autolayout:
      "icon and label; the lower one holds the cell's bottom, by switching constraints"
    case .placeholders: "pictures of unknown size; rows take their height as each arrives"
    }
  }

  /// How the demo wants its pictures fetched and kept.
  public var loaderConfiguration: ImageLoaderConfiguration {
    var configuration = ImageLoaderConfiguration()
    if self == .placeholders {
      configuration.memoryCacheCount = 20
      configuration.memoryCacheEvictionBatch = 5
    }
    return configuration
  }

  /// The demo's rows.
  ///
  /// - Parameters:
  ///   - base: the address of the server its pictures come from.
  ///   - seed: fixes what is random.
  /// - Throws: `DemoContentError` where the bundled content cannot be read.
  @MainActor public func content(
    pictures: PictureStore, base: String, seed: UInt64
  ) throws -> any ListContent {
    switch self {
    case .autolayout: try AutolayoutDemo(pictures: pictures, base: base)
    case .placeholders: PlaceholdersDemo(pictures: pictures, base: base, seed: seed)
    }
  }
}

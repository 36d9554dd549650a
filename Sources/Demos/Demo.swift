import ImageLoading
import Pictures
import TimelineUI

/// The demos of `tideline demo`, by name.
public enum Demo: String, CaseIterable, Sendable {
  case autolayout
  case slack
  case moments
  case tweets
  case placeholders

  /// One line for the list of demos.
  public var summary: String {
    switch self {
    case .autolayout:
      "icon and label; the lower one holds the cell's bottom, by switching constraints"
    case .slack: "icon, name and comment; three inequalities find the height, nothing is switched"
    case .moments: "text and a picture whose height changes when it arrives; conflicts on request"
    case .tweets: "no constraints: one function measures and places; all rows measured at first"
    case .placeholders: "pictures of unknown size; rows take their height as each arrives"
    }
  }

  /// How the demo's pictures are fetched and cached.
  public var loaderConfiguration: ImageLoaderConfiguration {
    var configuration = ImageLoaderConfiguration()
    if self == .placeholders {
      configuration.memoryCacheCount = 20
      configuration.memoryCacheEvictionBatch = 5
    }
    return configuration
  }

  /// Whether the cells that pictures were converted to are cached too. False for the demo that
  /// shows how few pictures suffice.
  public var keepsCells: Bool { self != .placeholders }

  /// Creates the demo's rows.
  ///
  /// - Throws: `DemoContentError` if the bundled content cannot be read.
  @MainActor public func content(
    pictures: PictureStore, options: DemoOptions
  ) throws -> any ListContent {
    if options.holdsPictures { pictures.loader.gate.pause() }
    return try rows(pictures: pictures, options: options)
  }

  @MainActor func rows(pictures: PictureStore, options: DemoOptions) throws -> any DemoRows {
    switch self {
    case .autolayout: try AutolayoutDemo(pictures: pictures, options: options)
    case .slack: try SlackDemo(pictures: pictures, options: options)
    case .moments: try MomentsDemo(pictures: pictures, options: options)
    case .tweets: try TweetsDemo(pictures: pictures, options: options)
    case .placeholders: PlaceholdersDemo(pictures: pictures, options: options)
    }
  }
}

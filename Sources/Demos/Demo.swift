import ImageLoading
import Pictures
import TimelineUI

/// The demos of `tideline demo`, by name.
package enum Demo: String, CaseIterable, Sendable {
  /// Cells whose constraints are switched: the lower of two views holds the bottom edge.
  case autolayout
  /// Cells whose height three inequalities determine, without switching.
  case slack
  /// Cells that grow when their picture arrives, and conflicts of constraints.
  case moments
  /// Cells that one function measures and lays out, without constraints.
  case tweets
  /// Pictures of unknown size.
  case placeholders
  /// Ten million rows.
  case list
  /// The queue of picture fetches, with a clock that can be stopped.
  case queue

  /// One line for the list of demos.
  package var summary: String {
    switch self {
    case .autolayout:
      "icon and label; the lower one holds the cell's bottom, by switching constraints"
    case .slack: "icon, name and comment; three inequalities find the height, nothing is switched"
    case .moments: "text and a picture whose height changes when it arrives; conflicts on request"
    case .tweets: "no constraints: one function measures and places; all rows measured at first"
    case .placeholders: "pictures of unknown size; rows take their height as each arrives"
    case .list: "ten million rows: cells used again, heights measured and guessed, the scroll bar"
    case .queue: "pictures on their way: priorities, shared fetches, cancellations, rows that grow"
    }
  }

  /// What there is to see, in one sentence.
  package var invitation: String {
    switch self {
    case .autolayout: "Icon or text: the lower one decides how high a row is."
    case .slack: "Three rules set the height of a message; nothing is switched."
    case .moments: "Pictures come late, and their rows grow."
    case .tweets: "No rules: one function measures two hundred rows at once."
    case .placeholders: "Pictures of unknown size arrive; what you read stays put."
    case .list: "Ten million rows in a handful of cells: fling them."
    case .queue: "Which picture is fetched when, and which never: stop time."
    }
  }

  /// How the demo's pictures are fetched and cached.
  package var loaderConfiguration: ImageLoaderConfiguration {
    var configuration = ImageLoaderConfiguration()
    if self == .placeholders {
      configuration.memoryCacheCount = 20
      configuration.memoryCacheEvictionBatch = 5
    }
    return configuration
  }

  /// Whether the cells that pictures were converted to are cached too. False for the demo that
  /// shows how few pictures suffice.
  package var keepsCells: Bool { self != .placeholders }

  /// Why the demo's pictures cannot be held back, in one clause; `nil` if they can.
  package var reasonAgainstHolding: String? {
    switch self {
    case .autolayout, .slack, .moments, .tweets, .placeholders: nil
    case .list: "the demo list has no pictures"
    case .queue: "the demo queue starts with its clock stopped: n advances it one step, p starts it"
    }
  }

  /// Creates the demo's rows.
  ///
  /// - Throws: `DemoContentError` if the bundled content cannot be read.
  @MainActor package func content(
    pictures: PictureStore, options: DemoOptions
  ) throws -> any ListContent {
    if options.holdsPictures, reasonAgainstHolding == nil { pictures.loader.gate.pause() }
    return try rows(pictures: pictures, options: options)
  }

  @MainActor func rows(pictures: PictureStore, options: DemoOptions) throws -> any DemoRows {
    switch self {
    case .autolayout: try AutolayoutDemo(pictures: pictures, options: options)
    case .slack: try SlackDemo(pictures: pictures, options: options)
    case .moments: try MomentsDemo(pictures: pictures, options: options)
    case .tweets: try TweetsDemo(pictures: pictures, options: options)
    case .placeholders: PlaceholdersDemo(pictures: pictures, options: options)
    case .list: try ListDemo(pictures: pictures, options: options)
    case .queue: QueueDemo(pictures: pictures, options: options)
    }
  }

  /// The panel that shows what the demo is about; `nil` for the demos of layouts, which the layout
  /// inspector explains.
  ///
  /// - Parameter clock: the time in which pictures arrive; `nil` for the system's.
  @MainActor package func monitor(
    of screen: ListScreen, pictures: PictureStore, clock: DemoClock?
  ) -> MonitorPanel? {
    switch self {
    case .autolayout, .slack, .moments, .tweets, .placeholders: nil
    case .list: ListMonitor(of: screen.pane)
    case .queue: QueueMonitor(of: screen.pane, pictures: pictures, clock: clock)
    }
  }
}

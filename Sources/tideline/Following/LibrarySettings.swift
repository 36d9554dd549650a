import Library
import TerminalApp
import TextLayout

/// The settings for followed feeds: how often they are fetched, and how long their items are kept.
///
/// Commands without a screen, and the program until its screen is open, read them from the
/// configuration file.
@MainActor final class LibrarySettings {
  /// The minutes between two requests of a feed that does not specify another interval; `nil` if
  /// feeds are fetched only on request.
  private(set) var refreshMinutes: Int? = defaultMinutes
  /// The days after which items that were read and are gone from their feed are deleted.
  private(set) var keepDays = FeedLibrary.defaultKeepDays
  /// Called after a setting has changed.
  var onChange: (() -> Void)?

  private static let refreshName = "refresh"
  private static let keepName = "keep"
  private static let defaultMinutes = 30
  /// A week. Longer intervals are refused; `off` fetches feeds only on request.
  private static let longestMinutes = 10_080
  /// A hundred years.
  private static let longestDays = 36_500

  /// The settings in a file; the defaults without one. Invalid lines are skipped here; they are
  /// reported when the file is loaded.
  init(in file: ConfigurationFile? = nil) {
    for argument in file?.arguments(ofCommand: "set") ?? [] {
      let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count == 2 else { continue }
      switch words[0] {
      case Self.refreshName: _ = setRefresh(words[1])
      case Self.keepName: _ = setKeep(words[1])
      default: continue
      }
    }
  }

  var settings: [Setting] {
    [
      Setting(
        Self.refreshName, values: ["off"], other: "MINUTES",
        help: "how often feeds that you follow are fetched; off: only when you ask",
        current: { [unowned self] in refreshMinutes.map(String.init) ?? "off" },
        change: { [unowned self] in setRefresh($0) }),
      Setting(
        Self.keepName, values: [], other: "DAYS",
        help: "when items that you have read, and their feed no longer has, are deleted",
        current: { [unowned self] in "\(keepDays)" },
        change: { [unowned self] in setKeep($0) }),
    ]
  }

  private func setRefresh(_ value: String) -> CommandOutcome {
    let minutes = Int(value)
    guard value == "off" || minutes.map((1...Self.longestMinutes).contains) == true else {
      return .refused("refresh is off or 1 to \(Self.longestMinutes) minutes, not \(shown(value))")
    }
    guard minutes != refreshMinutes else { return .done }
    refreshMinutes = minutes
    onChange?()
    return .done
  }

  private func setKeep(_ value: String) -> CommandOutcome {
    guard let days = Int(value), (1...Self.longestDays).contains(days) else {
      return .refused("keep is 1 to \(Self.longestDays) days, not \(shown(value))")
    }
    guard days != keepDays else { return .done }
    keepDays = days
    onChange?()
    return .done
  }

  private func shown(_ value: String) -> String {
    "'\(TextMetrics.current.truncated(Sanitizer.line(value), toWidth: 20))'"
  }
}

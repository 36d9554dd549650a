import TerminalApp
import TextLayout

/// Owns the largest width of text on all screens of a timeline.
///
/// On a wider screen, rows are centered.
@MainActor package final class ReadingWidth {
  /// The largest width of text in columns. 96 by default, since longer lines are hard to read;
  /// within ``limits``.
  package private(set) var columns = ReadingWidth.usual

  /// The width that `auto` stands for.
  package nonisolated static let usual = 96
  /// The widths that can be set.
  package nonisolated static let limits = 20...1_000

  /// The usual width.
  package nonisolated init() {}

  /// The width of a row whose text has ``columns``, including the avatar and the space around both.
  var rowWidth: Int { columns + PostCell.columnsBesideText }

  /// The setting `width`.
  package var setting: Setting {
    Setting(
      "width", values: ["auto"], other: "COLUMNS",
      help: "the most columns of text; auto is \(Self.usual); wider screens show it in the middle",
      current: { [unowned self] in columns == Self.usual ? "auto" : String(columns) },
      change: { [unowned self] value in
        guard let asked = value == "auto" ? Self.usual : Int(value), Self.limits.contains(asked)
        else {
          let limits = "\(Self.limits.lowerBound) to \(Self.limits.upperBound)"
          return .refused("width is auto or \(limits) columns")
        }
        columns = asked
        return .done
      })
  }
}

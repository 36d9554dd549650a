import TerminalApp
import TextLayout

/// How wide text may be on all screens of a timeline: the one owner of that choice.
///
/// On a wider screen rows stand in the middle.
@MainActor public final class ReadingWidth {
  /// Columns of text at most. 96 by default, since longer lines are hard to read; within
  /// ``limits``.
  public private(set) var columns = ReadingWidth.usual

  /// What `auto` means.
  public nonisolated static let usual = 96
  /// What can be asked for.
  public nonisolated static let limits = 20...1_000

  /// The usual width.
  public nonisolated init() {}

  /// Columns of a row whose text has ``columns``: with the avatar, and the space around both.
  var rowWidth: Int { columns + PostCell.columnsBesideText }

  /// What `set width` changes.
  public var setting: Setting {
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

import System
import TextLayout

/// What the program has to tell in a line: the newest stands in the status line until the next key,
/// and those worth it can be read again.
///
/// Whoever has something to say to the user says it here, so that there is one line for it, one
/// rule for what gives way, and one record.
@MainActor public final class Notices {
  /// What is told.
  public struct Notice: Hashable, Sendable {
    /// One line, sanitized.
    public let text: String
    /// What it is about.
    public let kind: Kind
    /// When it was told last, in seconds since 1970.
    public internal(set) var time: Double
    /// How often it was told in a row.
    public internal(set) var count = 1
  }

  /// What a notice is about.
  public enum Kind: Hashable, Sendable {
    /// A key or a click that does nothing here. It gives way to what the content has to say, and is
    /// not recorded.
    case hint
    /// Something was done, or has come. Of all else in the status line the position alone does not
    /// give way to it.
    case information
    /// Something asked for is not done; everything else in the status line gives way to it.
    case refusal
    /// Something failed that was begun; everything else gives way to it, too.
    case failure
  }

  /// What stands in the status line; nil where nothing does.
  public private(set) var current: Notice?
  /// What was told, the oldest first, at most ``maximumCount``.
  public private(set) var log: [Notice] = []
  private let now: () -> Double
  /// What the content had to say by itself last.
  private var standing = ""

  /// Notices that are recorded. `200`
  public static let maximumCount = 200
  /// Characters of one; what is longer is cut.
  static let maximumLength = 1_000

  /// - Parameter now: seconds since 1970.
  init(now: @escaping () -> Double = { SystemClock.wallTime }) { self.now = now }

  /// Shows `text` in the status line until the next key, and records it unless it is a hint.
  ///
  /// - Complexity: O(n) in the text.
  func tell(_ text: String, _ kind: Kind) {
    let line = Sanitizer.line(String(text.prefix(Self.maximumLength)))
    guard !line.isEmpty else { return clear() }
    let notice = Notice(text: line, kind: kind, time: now())
    current = notice
    if kind != .hint { record(notice) }
  }

  /// Records `text`, which is not done either, without showing it.
  ///
  /// - Complexity: O(n) in the text.
  func note(_ text: String) {
    record(
      Notice(
        text: Sanitizer.line(String(text.prefix(Self.maximumLength))), kind: .refusal, time: now()))
  }

  /// Nothing is to be told any more.
  func clear() { current = nil }

  /// Shows again what was cleared, without recording it anew.
  func restore(_ notice: Notice?) { current = notice }

  /// Records what the content says in the status line by itself, when that changes.
  func noteStanding(_ text: String, isError: Bool) {
    guard text != standing else { return }
    standing = text
    guard !text.isEmpty else { return }
    let line = Sanitizer.line(String(text.prefix(Self.maximumLength)))
    record(Notice(text: line, kind: isError ? .failure : .information, time: now()))
  }

  private func record(_ notice: Notice) {
    if let last = log.last, last.text == notice.text, last.kind == notice.kind {
      log[log.count - 1].count += 1
      log[log.count - 1].time = notice.time
      return
    }
    log.append(notice)
    if log.count > Self.maximumCount { log.removeFirst(log.count - Self.maximumCount) }
  }

  // MARK: The page

  /// All that is recorded, the newest first.
  var page: StyledText {
    var text = StyledText()
    text.beginParagraph()
    text.append("Messages", style: TextStyle(role: .heading))
    for (index, notice) in log.reversed().enumerated() {
      var style = StyledText.ParagraphStyle()
      style.indent = Self.timeColumns
      style.marker = Self.clock(notice.time) + "  "
      style.spacingBefore = index == 0 ? 1 : 0
      text.beginParagraph(style)
      let role: TextStyle.Role =
        switch notice.kind {
        case .failure: .error
        case .refusal: .warning
        case .information, .hint: .body
        }
      text.append(notice.text, style: TextStyle(role: role))
      if notice.count > 1 {
        text.append("  \(notice.count) times", style: TextStyle(role: .secondary))
      }
    }
    return text
  }

  private static let timeColumns = 10

  /// `"14:05:09"`, where the user is.
  private static func clock(_ time: Double) -> String {
    guard let (hour, minute, second) = SystemClock.timeOfDay(time) else { return "" }
    return [hour, minute, second].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }
}

extension Notices.Kind {
  /// Whether everything else in the status line gives way to it.
  var comesFirst: Bool { self == .refusal || self == .failure }
}

import System
import TextLayout

/// The program's messages: the status line shows the newest until the next key, and those worth it
/// are recorded to be read again.
///
/// All messages to the user go through here, so that they share one line, one rule of precedence
/// and one record.
@MainActor public final class StatusMessages {
  /// A message.
  public struct Notice: Hashable, Sendable {
    /// One line, sanitized.
    public let text: String
    /// The kind of the message.
    public let kind: Kind
    /// When the message was last shown, in seconds since 1970.
    public internal(set) var time: Double
    /// How often it was shown in a row.
    public internal(set) var count = 1
  }

  /// The kind of a message, which decides its precedence.
  public enum Kind: Hashable, Sendable {
    /// A key or a click has no effect here. It gives way to the content's own message and is not
    /// recorded.
    case hint
    /// Something was done or has arrived. If the line is too narrow, everything else in it but the
    /// position gives way.
    case information
    /// A request is refused; everything else in the status line gives way.
    case refusal
    /// An operation that was begun has failed; everything else gives way, too.
    case failure
  }

  /// The message in the status line, if any.
  public private(set) var current: Notice?
  /// The recorded messages, oldest first, at most ``maximumCount``.
  public private(set) var log: [Notice] = []
  private let now: () -> Double
  /// Called when a message is shown.
  private let onTell: () -> Void
  /// The content's own last message.
  private var standing = ""

  /// The number of messages that are recorded at most. `200`
  public static let maximumCount = 200
  /// The length in characters to which a message is cut.
  static let maximumLength = 1_000

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - onTell: called when a message is shown.
  init(
    now: @escaping () -> Double = { SystemClock.wallTime }, onTell: @escaping () -> Void = {}
  ) {
    (self.now, self.onTell) = (now, onTell)
  }

  /// Shows `text` in the status line until the next key, and records it unless it is a hint. An
  /// empty text clears the line.
  ///
  /// - Complexity: O(n) in the text.
  func tell(_ text: String, _ kind: Kind) {
    defer { onTell() }
    let notice = notice(text, kind)
    guard !notice.text.isEmpty else { return clear() }
    current = notice
    if kind != .hint { record(notice) }
  }

  /// Shows why a request is refused.
  func refuse(_ reason: String) { tell(reason, .refusal) }

  /// Records `text` as a refusal without showing it.
  ///
  /// - Complexity: O(n) in the text.
  func note(_ text: String) { record(notice(text, .refusal)) }

  /// Removes the message from the status line.
  func clear() { current = nil }

  /// Shows a cleared message again without recording it a second time.
  func restore(_ notice: Notice?) { current = notice }

  /// Records the content's own message when it changes.
  func recordContentMessage(_ text: String, isError: Bool) {
    guard text != standing else { return }
    standing = text
    guard !text.isEmpty else { return }
    record(notice(text, isError ? .failure : .information))
  }

  private func notice(_ text: String, _ kind: Kind) -> Notice {
    let line = Sanitizer.line(String(text.prefix(Self.maximumLength)))
    return Notice(text: line, kind: kind, time: now())
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

  /// The recorded messages as a page, newest first.
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

  /// The local time: `"14:05:09"`.
  private static func clock(_ time: Double) -> String {
    guard let (hour, minute, second) = SystemClock.timeOfDay(time) else { return "" }
    return [hour, minute, second].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }
}

extension StatusMessages.Kind {
  /// Whether everything else in the status line gives way to it.
  var comesFirst: Bool { self == .refusal || self == .failure }
}

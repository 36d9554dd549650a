import TextLayout

/// Why the pages of a timeline do not go on for now.
struct PagingTrouble: Sendable {
  enum Reason: Sendable {
    /// A page is not there: its number among the older ones, nil where the timeline was refreshed.
    case failed(PageFailure, page: Int?)
    /// So many pages in a row had no new post.
    case nothingNew(pages: Int)
    /// The host may not be asked yet, for so many seconds.
    case tooSoon(seconds: Double)
  }

  let reason: Reason
  /// When scrolling may try again.
  let until: Double

  init(_ reason: Reason, until: Double) {
    self.reason = reason
    self.until = until
  }

  /// For the status line.
  var text: String {
    switch reason {
    case .failed(let failure, let page):
      let what = page.map { "page \($0)" } ?? "refresh"
      let delay = failure.retryDelay ?? 0
      let wish = delay > 0 ? " in \(Self.duration(delay))" : ""
      return "\(what): \(failure.reason.text); r tries again\(wish)"
    case .nothingNew(let pages):
      return "\(pages.counted("page")) in a row held nothing new; r or G tries on"
    case .tooSoon(let seconds):
      return "the server is asked again in \(Self.duration(seconds)) at the earliest"
    }
  }

  /// `"25 s"`, `"4 min"`: rounded up.
  static func duration(_ seconds: Double) -> String {
    seconds <= 90
      ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded(.up))) min"
  }
}

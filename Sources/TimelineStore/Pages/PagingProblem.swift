import TextLayout

/// Why no further page of a timeline is requested for now.
struct PagingProblem: Sendable {
  enum Reason: Sendable {
    /// A page could not be loaded: its number among the older ones, `nil` during a refresh.
    case failed(PageFailure, page: Int?)
    /// This many pages in a row had no new post.
    case nothingNew(pages: Int)
    /// The host must not be asked yet, for these seconds.
    case tooSoon(seconds: Double)
  }

  let reason: Reason
  /// The time after which scrolling may try again.
  let until: Double

  init(_ reason: Reason, until: Double) {
    self.reason = reason
    self.until = until
  }

  /// The message for the status line.
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

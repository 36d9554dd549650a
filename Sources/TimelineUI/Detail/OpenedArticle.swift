import Feeds
import Terminal
import TerminalApp
import TextLayout

/// The article of an opened post, while a program prints it and after that.
///
///     none ──start──▶ reading ──▶ shown
///      ▲                │  │
///      └────stop────────┘  └────▶ failed ──start──▶ reading
@MainActor final class OpenedArticle {
  private enum State {
    case none
    case reading(Task<Void, Never>)
    case shown(Post)
    /// The reason, in one line.
    case failed(String)
  }

  private let reader: ArticleReader
  private let post: Post
  private var state = State.none
  /// Called after each change.
  private let onChange: @MainActor () -> Void

  init(of post: Post, by reader: ArticleReader, onChange: @escaping @MainActor () -> Void) {
    (self.post, self.reader, self.onChange) = (post, reader, onChange)
  }

  /// The article; `nil` before it is there.
  var article: Post? { if case .shown(let article) = state { article } else { nil } }

  var isReading: Bool { if case .reading = state { true } else { false } }

  /// The work in progress, for the status line; empty if there is none.
  var activity: String { isReading ? "\(reader.name) reads the article" : "" }

  /// Why there is no article; `nil` if nothing has failed.
  var failure: String? { if case .failed(let reason) = state { reason } else { nil } }

  /// The line above the article, which says what becomes of it; `nil` if none was asked for.
  var note: StyledText? {
    switch state {
    case .none: nil
    case .reading:
      StyledText("── \(reader.name) reads the article … · e stops it", style: .secondary)
    case .shown: StyledText("── the article, by \(reader.name)", style: .secondary)
    case .failed(let reason):
      StyledText(
        "── the article could not be read: \(Sanitizer.line(reason))",
        style: .secondary)
    }
  }

  /// Reads the article of a post that has a title, as those of feeds do. A post of a network is
  /// whole.
  func startIfUsual() {
    if case .none = state, reader.isSet, !post.title.isEmpty { _ = start() }
  }

  /// Starts the program; without effect if it runs or has printed the article.
  func start() -> CommandOutcome {
    guard reader.isSet else {
      return .refused("no program reads articles; set article names one")
    }
    guard let address = reader.address(of: post) else {
      return .refused("this post leads to no article")
    }
    switch state {
    case .reading, .shown: return .done
    case .none, .failed: break
    }
    state = .reading(
      Task { [weak self, reader, post] in
        let result = await reader.article(at: address, of: post)
        guard !Task.isCancelled else { return }
        self?.take(result)
      })
    onChange()
    return .done
  }

  private func take(_ result: Result<Post, ProgramFailure>) {
    switch result {
    case .success(let article): state = .shown(article)
    case .failure(let failure): state = .failed(failure.reason)
    }
    onChange()
  }

  /// Kills the program if it runs.
  func stop() {
    guard case .reading(let task) = state else { return }
    task.cancel()
    state = .none
    onChange()
  }
}

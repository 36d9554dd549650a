import DemoContent
import Feeds
import Timeline

/// Reads the bundled timeline.
public actor BundledReader: PostReader {
  private let base: String?
  private var isDone = false

  /// - Parameter base: the address put before its pictures' own; nil leaves them relative.
  public init(base: String?) {
    self.base = base
  }

  public func next() async throws(SourceError) -> SourceReader.Batch? {
    guard !isDone else { return nil }
    isDone = true
    do {
      let document = try FeedReader.read(
        DemoContent.timeline(), format: .jsonfeed, baseURL: base.map { $0 + "/" })
      return SourceReader.Batch(info: document.info, posts: document.posts)
    } catch let error as FeedError {
      throw SourceError(source: .file("bundled timeline"), reason: .notATimeline(error))
    } catch {
      throw SourceError(source: .file("bundled timeline"), reason: .missing)
    }
  }
}

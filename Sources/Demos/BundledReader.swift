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
    let source = TimelineSource.file("bundled timeline")
    let bytes: [UInt8]
    do throws(DemoContentError) {
      bytes = try DemoContent.timeline()
    } catch {
      throw SourceError(source: source, reason: .notBundled("\(error)"))
    }
    do throws(FeedError) {
      let document = try FeedReader.read(
        bytes, format: .jsonfeed, baseURL: base.map { $0 + "/" })
      // Its pictures are the program's own, on this machine.
      return SourceReader.Batch(info: document.info, posts: document.posts)
        .reaching(.privateAddresses)
    } catch {
      throw SourceError(source: source, reason: .notATimeline(error))
    }
  }
}

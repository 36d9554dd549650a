import DemoContent
import Feeds
import TimelineStore
import TimelineUI

/// Reads the bundled timeline.
package actor BundledReader: PostReader {
  private let showsPictures: Bool
  private var isDone = false

  /// - Parameter showsPictures: whether picture addresses are resolved to those that
  ///   `DemoTransport` answers; otherwise they stay relative.
  package init(showsPictures: Bool) { self.showsPictures = showsPictures }

  package func next() async throws(SourceError) -> SourceReader.Batch? {
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
        bytes, format: .jsonfeed, baseURL: showsPictures ? DemoPictures.origin + "/" : nil)
      return SourceReader.Batch(info: document.info, posts: document.posts)
    } catch {
      throw SourceError(source: source, reason: .notATimeline(error))
    }
  }
}

import Feeds
import HTTP

@testable import TimelineStore

extension SourceReader {
  /// Opens a source, most often a file of posts to be shown.
  init(
    source: TimelineSource, format: FeedFormat?, as form: ContentForm = .styled,
    reach: RequestScope = .everywhere, pictures: ArchivePictures? = nil,
    limit: PostLimit = .standard, transport: (@Sendable () -> any HTTPTransport)?
  ) throws(SourceError) {
    try self.init(
      SourceRequest(
        source: source, format: format, form: form, reach: reach, pictures: pictures, limit: limit,
        transport: transport))
  }
}

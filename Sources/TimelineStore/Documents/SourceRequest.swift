import Feeds
import HTTP

/// The source that a reader opens, and how its posts are read.
struct SourceRequest: Sendable {
  var source: TimelineSource
  /// Detected from the content if it is `nil`.
  let format: FeedFormat?
  /// Whether texts are to be shown or passed on.
  let form: ContentForm
  /// The reach granted to the source's address: everywhere if the user names it, less if a file
  /// does.
  let reach: RequestScope
  /// The registry that finds the pictures of an archive; without it their addresses stay unchanged.
  let pictures: ArchivePictures?
  /// The limit of posts that are held because they cannot be read again: those of a server's
  /// answer, or of a document that has to be read whole.
  let limit: PostLimit
  /// Whether a list of feeds names this source; a list in a list is not followed.
  var isListed = false
  /// Those of an earlier answer, which make the request conditional.
  var validators: HTTPValidators?
  /// Whether a web page names this source; a page named by a page is not followed.
  var isNamedByPage = false
  /// Makes the transport for http(s) sources, when one is needed.
  var transport: (@Sendable () -> any HTTPTransport)?
}

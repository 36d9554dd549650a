import Feeds
import HTTP
import Subscriptions

/// One of several sources that are merged.
package struct MergedSource: Sendable {
  let request: SourceRequest
  /// Its entry in a list of feeds; `nil` if no list names it.
  let entry: FeedList.Entry?
  /// Why it cannot be opened.
  let failure: SourceError?
  /// The reader, if its file is kept open until it is read.
  let opened: SourceReader?

  /// The maximum number of sources whose files are kept open, and watched. `64`
  package static let openFiles = 64

  /// Opens a source that comes after `count` others. Regular files after the first ``openFiles``
  /// are closed until they are read.
  ///
  /// - Throws: `SourceError` if it cannot be opened.
  package init(
    _ source: TimelineSource, after count: Int, format: FeedFormat?, as form: ContentForm,
    pictures: ArchivePictures?, limit: PostLimit = .standard,
    transport: (@Sendable () -> any HTTPTransport)?
  ) throws(SourceError) {
    let request = SourceRequest(
      source: source, format: format, form: form, reach: .everywhere, pictures: pictures,
      limit: limit, transport: transport)
    let reader = try SourceReader(request)
    let isFile = source.path != nil && reader.isRefreshable
    self.init(request, opened: count >= Self.openFiles && isFile ? nil : reader)
  }

  /// A source that could not be opened.
  package init(_ failure: SourceError) {
    let request = SourceRequest(
      source: failure.source, format: nil, form: .styled, reach: .publicAddresses, pictures: nil,
      limit: .standard, transport: nil)
    self.init(request, failure: failure)
  }

  private init(
    _ request: SourceRequest, entry: FeedList.Entry? = nil, failure: SourceError? = nil,
    opened: SourceReader? = nil
  ) {
    (self.request, self.entry, self.failure, self.opened) = (request, entry, failure, opened)
  }

  /// The feeds of a list that `request` has opened.
  static func sources(
    of list: FeedList, namedBy request: SourceRequest, reach: RequestScope
  ) -> [MergedSource] {
    list.entries.map { entry in
      let own = SourceRequest(
        source: .url(entry.address), format: nil, form: request.form, reach: reach, pictures: nil,
        limit: request.limit, isListed: true, transport: request.transport)
      return MergedSource(own, entry: entry)
    }
  }

  /// The feed of a page that `page` has opened. If it is a page or a list itself, it is not
  /// followed. It has the name that a list gives to the page.
  static func source(of feed: FoundFeed, namedBy page: MergedSource) -> MergedSource {
    let request = page.request
    let own = SourceRequest(
      source: .url(feed.address), format: nil, form: request.form, reach: feed.reach, pictures: nil,
      limit: request.limit, isListed: true, isNamedByPage: true, transport: request.transport)
    return MergedSource(own, entry: page.entry)
  }

  var source: TimelineSource { request.source }
  /// The open reader, for a timeline with this source alone.
  package var reader: SourceReader? { opened }

  /// The host whose requests are limited; `nil` for a local source.
  var host: String? {
    guard case .url(let address) = source else { return nil }
    return URLReference(address.url).host ?? ""
  }

  var isPipe: Bool { opened.map { !$0.isRefreshable } ?? false }

  /// Opens the source for a reading.
  ///
  /// - Parameters:
  ///   - validators: those of the last response; they make the request conditional.
  ///   - deadline: the deadline of a remote source.
  /// - Throws: `SourceError` if it cannot be opened.
  func open(
    _ validators: HTTPValidators? = nil, isFirst: Bool, before deadline: ReadingDeadline? = nil
  ) throws(SourceError) -> SourceReader {
    if let failure { throw failure }
    if isFirst, deadline == nil, let opened { return opened }
    var request = request
    request.validators = validators
    if let deadline, let transport = request.transport {
      request.transport = { deadline.ending(transport()) }
    }
    return try SourceReader(request)
  }

  /// One clause about entries of a list that are left out; `nil` if there are none.
  static func omission(of list: FeedList) -> String? {
    var omissions: [String] = []
    if list.unusableCount > 0 {
      let count = list.unusableCount.counted("feed")
      omissions.append("\(count) of the list cannot be opened: \(list.unusableText)")
    }
    if list.isCut {
      let count = list.addresses.count
      omissions.append("the list names more feeds than the \(count) that are read")
    }
    omissions += [list.incompleteness].compactMap(\.self)
    return omissions.isEmpty ? nil : omissions.joined(separator: "; ")
  }
}

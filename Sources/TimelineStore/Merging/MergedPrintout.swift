import Feeds
import HTTP
import Library
import Subscriptions
import System

/// The posts of merged sources for printing: all are read first, because the oldest source may have
/// the newest post.
package actor MergedPrintout: PostReader {
  private nonisolated let sources: [MergedSource]
  private nonisolated let form: ContentForm
  private nonisolated let query: PostQuery?
  private nonisolated let listOmission: String?
  private var state: (posts: LibraryReader, merger: SourceMerger)?
  private var ids = UniqueIDs()

  /// - Parameter query: `nil` for all posts.
  package init(
    _ sources: [MergedSource], as form: ContentForm, fitting query: PostQuery? = nil
  ) {
    (self.sources, self.form, self.query, listOmission) = (sources, form, query, nil)
  }

  /// The feeds of a list that `reader` has read; `nil` if `error` names none.
  package init?(
    ofListIn error: SourceError, readBy reader: SourceReader, as form: ContentForm,
    fitting query: PostQuery? = nil
  ) {
    guard case .listOfFeeds(let list, let reach) = error.reason, !list.addresses.isEmpty else {
      return nil
    }
    sources = MergedSource.sources(of: list, namedBy: reader.request, reach: reach)
    (self.form, self.query) = (form, query)
    listOmission = MergedSource.omission(of: list)
  }

  /// The maximum number of failures that get a post each, and of those named in a common post.
  private static let separateMarks = 3
  private static let namedFailures = 20

  package func next() async throws(SourceError) -> SourceReader.Batch? {
    if let state { return try await state.posts.next().map(numbered) }
    let contents = MergedContents(form: form)
    let library = try MergedTimeline.temporaryLibrary()
    let merger = SourceMerger(library, contents, clock: await .system())
    do throws(LibraryError) {
      if let listOmission { await merger.note(listOmission) }
      try await merger.add(sources)
    } catch {
      throw SourceError(error)
    }
    await merger.finish()
    let failures = await merger.failures
    let reader = LibraryReader(
      library, scope: .everything, timeline: "", as: form, fitting: query, contents: contents)
    state = (reader, merger)
    let first = try await reader.next()
    if await merger.hasFailed, let failure = failures.first, first?.posts.isEmpty ?? true {
      throw failure
    }
    var matcher = query.map { PostMatcher($0) }
    let marks = Self.marks(of: failures).filter { matcher?.fits($0) ?? true }
    let posts = first.map(numbered)?.posts ?? []
    return SourceReader.Batch(info: TimelineInfo(), posts: marks + posts)
  }

  /// Terms about feeds need the library that the posts are in.
  package nonisolated var isFiltered: Bool { query != nil }

  private func numbered(_ batch: SourceReader.Batch) -> SourceReader.Batch {
    var batch = batch
    for index in batch.posts.indices { ids.number(&batch.posts[index]) }
    return batch
  }

  /// Also the pages that were replaced by their feeds.
  package func omission() async -> String? {
    guard let merger = state?.merger else { return nil }
    let lines = await merger.replacements + [merger.omission].compactMap(\.self)
    return lines.isEmpty ? nil : lines.joined(separator: "; ")
  }

  /// A marked post for each source that failed, or one for all if they are many.
  private static func marks(of failures: [SourceError]) -> [Post] {
    guard failures.count > separateMarks else {
      return failures.map { failure in
        var post = Post(id: "failed:\(failure.source.name)")
        post.damage = failure.message
        return post
      }
    }
    var post = Post(id: "failed")
    var names = failures.prefix(namedFailures).map { "\($0.source.shortName) (\($0.reason.text))" }
    if failures.count > namedFailures { names.append("…") }
    post.damage = "\(failures.count) sources failed: \(names.joined(separator: ", "))"
    return [post]
  }
}

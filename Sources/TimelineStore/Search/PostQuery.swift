import Feeds
import TextLayout

/// What posts are asked for: words, phrases, authors, tags, what they have, when they were
/// published.
///
/// A query is words with spaces between them, all of which must fit; `or` between two groups asks
/// for one of them, and `-` before a word for posts that it does not fit. Quotation marks hold a
/// phrase together.
///
///     tide -storm author:marit or tag:harbour has:picture after:2024-05
public struct PostQuery: Hashable, Sendable {
  /// What is asked of a post.
  enum Condition: Hashable, Sendable {
    case text(TextNeedle)
    case author(TextNeedle)
    case tag(TextNeedle)
    case hasPicture
    case hasLink
    /// Published before this second since 1970, or in it and later.
    case before(Double)
    case since(Double)
  }

  struct Term: Hashable, Sendable {
    var condition: Condition
    var isNegated = false
  }

  /// As it was written.
  public let text: String
  /// Groups of which one must fit, each of terms that all must.
  let groups: [[Term]]

  init(text: String, groups: [[Term]]) {
    self.text = text
    self.groups = groups
  }

  /// A query for posts that hold these words.
  ///
  /// - Throws: `PostQueryError` that names the word that is wrong.
  /// - Complexity: O(n) in the bytes.
  public init(_ text: String) throws(PostQueryError) {
    self = try PostQueryParser.query(text)
  }

  /// A query for posts that say this, word for word.
  public init(phrase needle: TextNeedle) {
    text = needle.query
    groups = [[Term(condition: .text(needle))]]
  }

  /// What is marked in posts that fit.
  public var needles: [TextNeedle] {
    groups.joined().compactMap { term in
      if case .text(let needle) = term.condition, !term.isNegated { needle } else { nil }
    }
  }

  /// What posts that fit a group hold all of, in their texts, names or tags.
  var groupsOfNeedles: [[TextNeedle]] { groups.map { $0.compactMap(\.needle) } }
}

extension PostQuery.Term {
  fileprivate var needle: TextNeedle? {
    guard !isNegated else { return nil }
    switch condition {
    case .text(let needle), .author(let needle), .tag(let needle): return needle
    case .hasPicture, .hasLink, .before, .since: return nil
    }
  }
}

/// Says which posts fit a query. Used by one thread at a time.
package struct PostMatcher: Sendable {
  package let query: PostQuery
  private var texts = TextMatcher()

  package init(_ query: PostQuery) { self.query = query }

  /// - Complexity: O(n) in the post's bytes, for each term
  package mutating func fits(_ post: Post) -> Bool {
    let post = post.asRead
    return query.groups.contains { group in
      group.allSatisfy { fits($0.condition, post) != $0.isNegated }
    }
  }

  private mutating func fits(_ condition: PostQuery.Condition, _ post: Post) -> Bool {
    switch condition {
    case .text(let needle): post.anySearchedText { texts.contains(needle, in: $0) }
    case .author(let needle):
      [post.author, post.repostedBy].contains { author in
        guard let author else { return false }
        return texts.contains(needle, in: author.name) || texts.contains(needle, in: author.handle)
      }
    case .tag(let needle): hasTag(needle, post)
    case .hasPicture: !post.pictures.isEmpty
    case .hasLink: !post.body.links.isEmpty || post.card != nil || post.externalURL != nil
    case .before(let limit): post.published.map { $0 < limit } ?? false
    case .since(let limit): post.published.map { $0 >= limit } ?? false
    }
  }

  /// Whether one of the post's tags is this one: all of it, with or without its mark.
  private mutating func hasTag(_ needle: TextNeedle, _ post: Post) -> Bool {
    post.tags.contains { isWhole(needle, $0[...]) }
      || post.tagsInText.contains { isWhole(needle, $0) }
  }

  private mutating func isWhole(_ needle: TextNeedle, _ tag: Substring) -> Bool {
    let tag = String(tag.drop { $0 == "#" })
    return texts.ranges(of: needle, in: tag) == [0..<tag.utf8.count]
  }
}

extension Post {
  /// The tags that stand in its text, as they are written there.
  package var tagsInText: [Substring] {
    body.paragraphs.flatMap { paragraph in
      paragraph.runs.filter { $0.style.role == .tag }.map { paragraph.string.slice(utf8: $0.range) }
    }
  }
}

extension UnreadPosts {
  /// Reads those of them that fit, one after another; of rows whose bytes tell that they do not, no
  /// more than those bytes.
  ///
  /// - Complexity: O(n) in their bytes
  package func readEach(fitting matcher: inout PostMatcher, _ body: (Post) -> Void) {
    guard case .rows(let rows) = self,
      var filter = rows.filter(for: matcher.query.groupsOfNeedles)
    else { return readEach { if matcher.fits($0) { body($0) } } }
    rows.readEach(where: &filter) { if matcher.fits($0) { body($0) } }
  }
}

import Answers
import Feeds
import TextLayout

/// A query for posts by words, phrases, authors, tags, attachments and dates.
///
/// It consists of words with spaces between them, all of which must match; `or` between two groups
/// requires one of them, and `-` before a word excludes posts that match it. Quotation marks
/// enclose a phrase.
///
///     tide -storm author:marit or tag:harbour has:picture after:2024-05
package struct PostQuery: Hashable, Sendable {
  /// A condition on a post.
  enum Condition: Hashable, Sendable {
    case text(TextNeedle)
    case author(TextNeedle)
    case tag(TextNeedle)
    case hasPicture
    case hasLink
    /// Has these marks, or has none of them; only posts of a library have any.
    case marked(PostMarks, isSet: Bool)
    /// Belongs to a feed with this name, title or address.
    case feed(TextNeedle)
    /// Published before this second since 1970; `since`: in that second or later.
    case before(Double)
    case since(Double)
  }

  struct Term: Hashable, Sendable {
    var condition: Condition
    var isNegated = false
  }

  /// The query as it was written.
  package let text: String
  /// One group must match; all terms of a group must match.
  let groups: [[Term]]

  init(text: String, groups: [[Term]]) {
    self.text = text
    self.groups = groups
  }

  /// Parses a query.
  ///
  /// - Throws: `PostQueryError`, which names the wrong word.
  /// - Complexity: O(n) in the bytes.
  package init(_ text: String) throws(PostQueryError) {
    self = try PostQueryParser.query(text)
  }

  /// Creates a query for posts that contain this phrase.
  package init(phrase needle: TextNeedle) {
    text = needle.query
    groups = [[Term(condition: .text(needle))]]
  }

  /// The texts to be marked in matching posts.
  package var needles: [TextNeedle] {
    groups.joined().compactMap { term in
      if case .text(let needle) = term.condition, !term.isNegated { needle } else { nil }
    }
  }

  /// Whether it asks for feeds.
  var isAboutFeeds: Bool {
    groups.joined().contains { term in if case .feed = term.condition { true } else { false } }
  }

  /// For each group, the texts that all matching posts have in their texts, names or tags.
  var groupsOfNeedles: [[TextNeedle]] { groups.map { $0.compactMap(\.needle) } }
}

extension PostQuery.Term {
  fileprivate var needle: TextNeedle? {
    guard !isNegated else { return nil }
    switch condition {
    case .text(let needle), .author(let needle), .tag(let needle): return needle
    case .hasPicture, .hasLink, .marked, .feed, .before, .since: return nil
    }
  }
}

extension PostQuery.Condition {
  fileprivate var isAboutLibrary: Bool {
    switch self {
    case .marked, .feed: true
    default: false
    }
  }
}

/// What a library knows of a post besides its text.
package struct MatchContext: Hashable, Sendable {
  package var marks: PostMarks
  /// The name, title and address of its feed.
  package var feedNames: [String]
}

/// Matches posts against a query. Used by one thread at a time.
package struct PostMatcher: Sendable {
  package let query: PostQuery
  private var texts = TextMatcher()

  package init(_ query: PostQuery) { self.query = query }

  /// - Parameter context: `nil` if the post belongs to no library. Then no term about marks or
  ///   feeds matches, negated or not.
  /// - Complexity: O(n) in the post's bytes, for each term
  package mutating func fits(_ post: Post, in context: MatchContext? = nil) -> Bool {
    let post = post.withParsedText
    return query.groups.contains { group in
      group.allSatisfy { term in
        guard context != nil || !term.condition.isAboutLibrary else { return false }
        return fits(term.condition, post, context) != term.isNegated
      }
    }
  }

  /// The result for all posts with these marks of a feed with these names; `nil` if it depends on
  /// the post.
  ///
  /// - Parameter feedNames: `nil` if the feed is not known; then it depends on that, too.
  package mutating func verdict(_ marks: PostMarks, feedNames: [String]? = nil) -> Bool? {
    var isOpen = false
    for group in query.groups {
      var result: Bool? = true
      for term in group {
        let fits = self.fits(term.condition, marks, feedNames).map { $0 != term.isNegated }
        if fits != true { result = fits }
        if result == false { break }
      }
      switch result {
      case true?: return true
      case nil: isOpen = true
      case false?: break
      }
    }
    return isOpen ? nil : false
  }

  /// `nil` if the condition is about something else.
  private mutating func fits(
    _ condition: PostQuery.Condition, _ marks: PostMarks, _ feedNames: [String]?
  ) -> Bool? {
    switch condition {
    case .marked(let wanted, let isSet):
      isSet ? marks.isSuperset(of: wanted) : marks.isDisjoint(with: wanted)
    case .feed(let needle): feedNames.map { $0.contains { texts.contains(needle, in: $0) } }
    default: nil
    }
  }

  private mutating func fits(
    _ condition: PostQuery.Condition, _ post: Post, _ context: MatchContext?
  ) -> Bool {
    switch condition {
    case .marked, .feed:
      context.flatMap { fits(condition, $0.marks, $0.feedNames) } ?? false
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

  /// Whether the post has exactly this tag, with or without its `#`.
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
  /// The tags within the post's text, as written there.
  package var tagsInText: [Substring] {
    body.paragraphs.flatMap { paragraph in
      paragraph.runs.filter { $0.style.role == .tag }.map { paragraph.string.slice(utf8: $0.range) }
    }
  }
}

extension UnparsedPosts {
  /// Passes the posts that match to `body`, one after another; rows whose bytes exclude a match are
  /// not read.
  ///
  /// - Complexity: O(n) in their bytes
  package func readEach(fitting matcher: inout PostMatcher, _ body: (Post) -> Void) {
    guard case .rows(let rows) = self,
      var filter = rows.filter(for: matcher.query.groupsOfNeedles)
    else { return readEach { if matcher.fits($0) { body($0) } } }
    rows.readEach(where: &filter) { if matcher.fits($0) { body($0) } }
  }
}

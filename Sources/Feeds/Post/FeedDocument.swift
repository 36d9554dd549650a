/// A timeline read whole.
public struct FeedDocument: Hashable, Sendable {
  /// What it was written in.
  public var format: FeedFormat
  /// What it says about itself.
  public var info: TimelineInfo
  /// In the order of the source, with ids that differ from each other.
  public var posts: [Post]

  /// A timeline; without posts unless they are given.
  public init(format: FeedFormat, info: TimelineInfo = TimelineInfo(), posts: [Post] = []) {
    self.format = format
    self.info = info
    self.posts = posts
  }

  /// Does what takes all of the posts: those whose bytes were repaired are marked, what an item
  /// leaves out is filled in, and repeated ids get a number, as rows are told apart by it.
  ///
  /// - Complexity: O(n) in the posts.
  mutating func complete(_ head: FeedHead, isRepaired: Bool) {
    info = head.info
    var seen: [String: Int] = [:]
    for index in posts.indices {
      if isRepaired, posts[index].holdsReplacement {
        posts[index].addDamage("bytes that are not text were replaced")
      }
      head.fill(&posts[index])
      let id = posts[index].id
      guard let count = seen[id] else {
        seen[id] = 1
        continue
      }
      var number = count + 1
      while seen["\(id)#\(number)"] != nil { number += 1 }
      seen[id] = number
      posts[index].id = "\(id)#\(number)"
      seen[posts[index].id] = 1
    }
  }
}

extension Post {
  /// Nothing of it can be shown but its damage.
  package var isBlank: Bool {
    title.isEmpty && body.isEmpty && sourceText == nil && pictures.isEmpty && attachments.isEmpty
      && url == nil
  }

  var holdsReplacement: Bool {
    [title.plainText, body.plainText, author?.name ?? ""]
      .contains { $0.unicodeScalars.contains("\u{FFFD}") } || sourceText?.holdsReplacement == true
  }
}

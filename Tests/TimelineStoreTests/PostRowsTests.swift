import Feeds
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineStore

/// Refreshed posts, compared by a naive model of their ids.
@Suite struct PostRowsTests {
  private func post(_ id: String, _ text: String = "") -> Post {
    var post = Post(id: id)
    post.body = StyledText(text)
    return post
  }

  private func rows(_ ids: [String]) -> PostRows {
    var rows = PostRows()
    rows.append(ids.map { post($0) })
    return rows
  }

  @Test func rowsKeepIdentitiesAndMovesAreReported() throws {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      var old = rows((0..<Int.random(in: 0...30, using: &random)).map(String.init))
      for round in 0..<6 {
        var posts = old.posts
        posts.shuffle(using: &random)
        posts.removeLast(Int.random(in: 0...posts.count / 2, using: &random))
        if Bool.random(using: &random) { posts.sort { $0.id < $1.id } }
        var changed: Set<String> = []
        for row in posts.indices where Int.random(in: 0...5, using: &random) == 0 {
          posts[row].body = StyledText("round \(round) \(seed)")
          changed.insert(posts[row].id)
        }
        let added = Int.random(in: 0...5, using: &random)
        for number in 0..<added {
          posts.insert(
            post("\(round)-\(number)"), at: Int.random(in: 0...posts.count, using: &random))
        }
        let (new, change) = old.refreshed(with: posts)
        let updates = try #require(change.updates)
        let mapping = try updates.mapping(from: old.count, to: new.count)
        #expect(change.added == added, "seed \(seed)")
        #expect(change.changed == changed.count, "seed \(seed)")
        for row in 0..<old.count {
          let id = old.id(at: row)
          let target = posts.firstIndex { $0.id == old[row].id }
          #expect(new.row(of: id) == target, "seed \(seed)")
          guard let target else { continue }
          #expect(new.id(at: target) == id, "seed \(seed)")
          // A moved row with new contents is deleted and inserted.
          let moved = mapping.newRow(forOld: row)
          #expect(moved == target || changed.contains(old[row].id), "seed \(seed)")
        }
        #expect(Set((0..<new.count).map(new.id(at:))).count == new.count, "seed \(seed)")
        old = new
      }
    }
  }

  @Test func equalIDsAreDistinguishedByOrder() throws {
    let old = rows(["a", "b", "a", "c"])
    let (new, change) = old.refreshed(with: ["new", "a", "b", "a"].map { post($0) })
    #expect(new.id(at: 1) == old.id(at: 0))
    #expect(new.id(at: 3) == old.id(at: 2))
    #expect((change.added, change.removed, change.changed) == (1, 1, 0))
    #expect(change.text == "1 new, 1 gone")
    #expect(rows(["a"]).refreshed(with: [post("a")]).change.text == "nothing new")
  }

  @Test func postsWithoutAnIDMatchByContent() {
    var old = PostRows()
    old.append([post("byte 0", "ebb"), post("byte 9", "flood")])
    let (new, change) = old.refreshed(
      with: [post("byte 0", "slack"), post("byte 7", "ebb"), post("byte 16", "flood")])
    #expect(new.id(at: 1) == old.id(at: 0))
    #expect(new.id(at: 2) == old.id(at: 1))
    #expect((change.added, change.removed, change.changed) == (1, 0, 0))
  }
}

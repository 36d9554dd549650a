/// Tells posts of one source apart that have the same id, by a number behind it.
package struct UniqueIDs: Sendable {
  /// How often ids were there.
  private var seen: [String: Int] = [:]

  package init() {}

  /// Gives the post a number if its id was there before.
  ///
  /// - Complexity: O(1), as a rule; memory of ``FeedLimits/knownIDs`` ids.
  package mutating func number(_ post: inout Post) {
    let id = post.id
    guard let count = seen[id] else {
      note(id, count: 1)
      return
    }
    var number = count + 1
    while seen["\(id)#\(number)"] != nil { number += 1 }
    seen[id] = number
    post.id = "\(id)#\(number)"
    note(post.id, count: 1)
  }

  private mutating func note(_ id: String, count: Int) {
    if seen.count < FeedLimits.knownIDs { seen[id] = count }
  }
}

/// Makes the ids of a source's posts unique by appending a number to repeated ones.
package struct UniqueIDs: Sendable {
  /// Number of occurrences of each id.
  private var seen: [String: Int] = [:]

  package init() {}

  /// Appends a number to the post's id if it occurred before.
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

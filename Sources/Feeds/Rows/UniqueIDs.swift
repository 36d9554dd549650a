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
      note(id)
      return
    }
    var number = count + 1
    while seen["\(id)#\(number)"] != nil { number += 1 }
    seen[id] = number
    post.id = "\(id)#\(number)"
    note(post.id)
  }

  private mutating func note(_ id: String) {
    if seen.count < FeedLimits.knownIDs { seen[id] = 1 }
  }
}

import Feeds
import VirtualList

/// Remembered places and their selected rows.
extension TimelineStore {
  /// The place to remember for the post of a row; `nil` if the post cannot be read.
  ///
  /// - Parameters:
  ///   - place: the part of the post at the top edge.
  ///   - words: the text there.
  ///   - selectedRow: the selected row, if any.
  package func place(
    ofRow row: Int, _ place: Place, words: String, selectedRow: Int?
  ) -> RememberedPlace? {
    guard let timeline, (0..<count).contains(row), !isStaleGuess(row), !isReplacement else {
      return nil
    }
    let (posts, fileRows) = (timeline.posts, timeline.capabilities.fileRows)
    let post = self.post(at: row)
    // A damaged row does not identify a post.
    guard !post.isBlank else { return nil }
    let number = sourceRow(of: row)
    var result = RememberedPlace(post: StoredPostIdentity(post), row: number, place: place)
    result.byte = fileRows?.byte(ofRow: number) ?? timeline.capabilities.places?.key(ofRow: number)
    result.words = words
    if let selectedRow { note(selectedRow, in: &result) }
    if fileRows?.isStaleGuess(0) != true { result.first = StoredPostIdentity(posts.post(at: 0)) }
    return result
  }

  /// Stores the selected post and its neighbours.
  private func note(_ selectedRow: Int, in place: inout RememberedPlace) {
    func mark(_ row: Int) -> StoredPostIdentity? {
      guard (0..<count).contains(row), !isStaleGuess(row) else { return nil }
      let post = self.post(at: row)
      return post.isBlank ? nil : StoredPostIdentity(post)
    }
    guard let selected = mark(selectedRow) else { return }
    place.selection = sourceRow(of: selectedRow) - place.row
    if selected != place.post { place.selected = selected }
    (place.below, place.above) = (mark(selectedRow + 1), mark(selectedRow - 1))
  }

  /// The number of rows examined on either side of the expected row of the selected post.
  private static let selectionReach = 256

  /// The source's row of the post that was selected at a place whose own post is at `row` now, or
  /// of a neighbour if that post has gone. `nil` if none was selected.
  ///
  /// - Complexity: O(1) if its distance from `row` is unchanged, else O(n) in the rows examined.
  package func selectedRow(of place: RememberedPlace, at row: Int) -> Int? {
    guard let timeline, let selection = place.selection else { return nil }
    let (posts, fileRows) = (timeline.posts, timeline.capabilities.fileRows)
    guard place.selected != nil, posts.count > 0 else { return row }
    let expected = max(0, min(row + selection, posts.count - 1))
    let marks = [place.selected, place.below, place.above].compactMap(\.self)
    var found: [StoredPostIdentity: Int] = [:]
    for distance in 0...Self.selectionReach {
      for candidate in Set([expected + distance, expected - distance])
      where (0..<posts.count).contains(candidate) && fileRows?.isStaleGuess(candidate) != true {
        let post = posts.post(at: candidate)
        for mark in marks where found[mark] == nil && mark.isMarkOf(post) {
          found[mark] = candidate
        }
        if let selected = found[marks[0]] { return selected }
      }
    }
    return marks.lazy.compactMap { found[$0] }.first ?? expected
  }
}

import Feeds
import VirtualList

/// What is remembered of a place, and which row was selected there.
extension TimelineStore {
  /// What there is to remember of the post of a row; nil where it cannot be read.
  ///
  /// - Parameters:
  ///   - place: what of it stands at the top edge.
  ///   - words: the text there.
  ///   - selectedRow: the row that is selected; nil where none is.
  public func place(
    ofRow row: Int, _ place: Place, words: String, selectedRow: Int?
  ) -> RememberedPlace? {
    guard let posts, (0..<count).contains(row), !isPhantom(row), !isReplacement else { return nil }
    let post = self.post(at: row)
    // What is damaged says nothing of a post.
    guard !post.isBlank else { return nil }
    let number = sourceRow(of: row)
    var result = RememberedPlace(post: PostMark(post), row: number, place: place)
    result.byte = posts.byte(ofRow: number)
    result.words = words
    if let selectedRow { note(selectedRow, in: &result) }
    if !posts.isPhantom(0) { result.first = PostMark(posts.post(at: 0)) }
    return result
  }

  /// Notes which post is selected, and those beside it.
  private func note(_ selectedRow: Int, in place: inout RememberedPlace) {
    func mark(_ row: Int) -> PostMark? {
      guard (0..<count).contains(row), !isPhantom(row) else { return nil }
      let post = self.post(at: row)
      return post.isBlank ? nil : PostMark(post)
    }
    guard let selected = mark(selectedRow) else { return }
    place.selection = sourceRow(of: selectedRow) - place.row
    if selected != place.post { place.selected = selected }
    (place.below, place.above) = (mark(selectedRow + 1), mark(selectedRow - 1))
  }

  /// Rows on either side of where the selected post was expected in which it is looked for.
  private static let selectionReach = 256

  /// The row in the source of the post that was selected at a place whose post is at `row` now, or
  /// of one that stood beside it where it has gone. Nil where none was selected.
  ///
  /// - Complexity: O(1) where it stands where it stood, else O(n) in the rows looked at.
  public func selectedRow(of place: RememberedPlace, at row: Int) -> Int? {
    guard let posts, let selection = place.selection else { return nil }
    guard place.selected != nil, posts.count > 0 else { return row }
    let expected = max(0, min(row + selection, posts.count - 1))
    let marks = [place.selected, place.below, place.above].compactMap(\.self)
    var found: [PostMark: Int] = [:]
    for distance in 0...Self.selectionReach {
      for candidate in Set([expected + distance, expected - distance])
      where (0..<posts.count).contains(candidate) && !posts.isPhantom(candidate) {
        let post = posts.post(at: candidate)
        for mark in marks where found[mark] == nil && mark.isOf(post) { found[mark] = candidate }
        if let selected = found[marks[0]] { return selected }
      }
    }
    return marks.lazy.compactMap { found[$0] }.first ?? expected
  }
}

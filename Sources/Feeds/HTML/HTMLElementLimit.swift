/// Limits the elements of a text in HTML: their depth, their number, and the paragraphs.
struct HTMLElementLimit {
  /// The reason why the rest is left out; `nil` while nothing is.
  private(set) var damage: String?
  private var count = 0

  /// Counts an element within `open` others and after `paragraphs` paragraphs; returns whether it
  /// may be read.
  mutating func allows(open: Int, paragraphs: Int) -> Bool {
    count += 1
    if open >= FeedLimits.openElements {
      damage = "HTML nested deeper than \(FeedLimits.openElements) elements: the rest is left out"
    } else if count > FeedLimits.itemElements {
      damage = "HTML of more than \(FeedLimits.itemElements) elements: the rest is left out"
    } else if paragraphs >= FeedLimits.paragraphs {
      damage = "more than \(FeedLimits.paragraphs) paragraphs: the rest is left out"
    } else {
      return true
    }
    return false
  }
}

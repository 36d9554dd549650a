import TerminalViews
import TextLayout

extension PostCell {
  /// The lines of the cell that contain a mark, from the top.
  ///
  /// - Complexity: O(lines, times the runs of their paragraphs).
  var matchLines: [Int] {
    placeProviders.flatMap { provider -> [Int] in
      guard let label = provider as? Label, !label.text.isEmpty, label.frame.height > 0 else {
        return []
      }
      let top = label.frame(in: self).minY
      let text = label.textFrame(width: max(1, label.frame.width))
      return text.lines.indices.filter { text.isMarked(line: $0) }.map { top + $0 }
    }
  }
}

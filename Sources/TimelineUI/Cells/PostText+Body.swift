import Feeds
import TextLayout

/// The text of a post around its pictures.
extension PostText {
  /// The texts before each of the first `count` pictures, and the text after the last of them:
  /// always `count + 1` texts, some of which may be empty. Pictures without a place come after the
  /// text.
  ///
  /// - Parameter named: further pictures; those with a place in the text are named in a line there.
  /// - Complexity: O(n) in paragraphs.
  static func texts(
    of post: Post, around count: Int, naming named: ArraySlice<Post.Picture>
  ) -> [StyledText] {
    let all = post.body.paragraphs
    var texts: [StyledText] = []
    var start = 0
    for picture in post.pictures.prefix(count) {
      let end = max(start, min(picture.place ?? all.count, all.count))
      texts.append(post.body.with(paragraphs: Array(all[start..<end])))
      start = end
    }
    let rest = body(of: post, from: start, naming: named)
    texts.append(rest)
    while texts.count <= count { texts.append(StyledText()) }
    return texts
  }

  /// The text from a paragraph on, with a line for each of `named` that has a place in it.
  static func body(
    of post: Post, from start: Int = 0, naming named: ArraySlice<Post.Picture>
  ) -> StyledText {
    let all = post.body.paragraphs
    var placed = named.filter { $0.place != nil }[...]
    if placed.isEmpty {
      return start == 0 ? post.body : post.body.with(paragraphs: Array(all[start...]))
    }
    var paragraphs: [StyledText.Paragraph] = []
    /// Whether the last paragraph names a picture.
    var isNamed = false
    func name(upTo place: Int) {
      while let picture = placed.first, (picture.place ?? 0) <= place {
        placed.removeFirst()
        let style = isNamed ? tight : StyledText.ParagraphStyle()
        paragraphs += paragraph(mark(of: picture), style)
        isNamed = true
      }
    }
    for index in all.indices.dropFirst(start) {
      name(upTo: index)
      var next = all[index]
      if isNamed, !isCaption(next) { next.style.spacingBefore = max(1, next.style.spacingBefore) }
      paragraphs.append(next)
      isNamed = false
    }
    name(upTo: .max)
    return post.body.with(paragraphs: paragraphs)
  }

  private static func paragraph(
    _ string: String, _ style: StyledText.ParagraphStyle
  ) -> [StyledText.Paragraph] {
    var text = StyledText()
    text.beginParagraph(style)
    text.append(string, style: secondary)
    return text.paragraphs
  }

  /// Whether a paragraph after a picture describes it: secondary text directly below it.
  static func isCaption(_ paragraph: StyledText.Paragraph) -> Bool {
    paragraph.style.spacingBefore == 0
      && paragraph.runs.contains { $0.style.role == .secondary }
      && paragraph.runs.allSatisfy { $0.style.role == .secondary || $0.style.role == .link }
  }
}

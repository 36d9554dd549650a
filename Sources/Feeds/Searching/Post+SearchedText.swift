import TextLayout

extension Post {
  /// Calls `body` with each of the texts that a search of the post looks through, until it says
  /// true: those of them that its cell shows, no address beside a text among them, and those that a
  /// warning hides till they are asked for. Of a post that a filter folds away only the reason is
  /// searched.
  ///
  /// - Returns: whether `body` said true.
  package func anySearchedText(_ body: (String) -> Bool) -> Bool {
    if let filter { return body(filter) }
    if let repostedBy, body(repostedBy.name) || body(repostedBy.handle) { return true }
    if let author, body(author.name) || body(author.handle) { return true }
    if let source, body(source) { return true }
    if any(title, body) { return true }
    if let contentWarning, body(contentWarning) { return true }
    return anyContentText(body)
  }

  /// Calls `body` with each of the texts that its warnings, and those of posts within it, hide,
  /// until it says true.
  ///
  /// - Returns: whether `body` said true.
  package func anyHiddenText(_ body: (String) -> Bool) -> Bool {
    if filter != nil { return false }
    if contentWarning != nil { return anyContentText(body) }
    if isSensitive, pictures.contains(where: { body($0.alternativeText) }) { return true }
    return quotes.contains { $0.anyHiddenText(body) }
  }

  private func anyContentText(_ body: (String) -> Bool) -> Bool {
    if any(self.body, body) { return true }
    for picture in pictures where body(picture.alternativeText) { return true }
    if let poll {
      for option in poll.options where body(option.title) { return true }
    }
    for quote in quotes where quote.anySearchedText(body) { return true }
    if let card, body(card.title) { return true }
    for attachment in attachments where body(attachment.title) { return true }
    for tag in tags where body("#" + tag) { return true }
    return false
  }

  private func any(_ text: StyledText, _ body: (String) -> Bool) -> Bool {
    text.paragraphs.contains { body($0.string) }
  }
}

extension Post {
  /// Itself, or, of one whose text is as its source has it, the post that is shown.
  ///
  /// - Complexity: O(n) in the bytes of such a text
  package var asRead: Post {
    guard sourceText != nil || !quotes.isEmpty else { return self }
    var post = self
    switch sourceText {
    case .html(let html):
      let content = HTMLReader.read(html, base: url, as: .styled)
      content.fill(&post)
      post.pictures += content.pictures
      post.attachments += content.attachments
    case .text(let text): HTMLContent.plain(text, as: .styled).fill(&post)
    case nil: break
    }
    post.quotes = quotes.map(\.asRead)
    return post
  }
}

extension DocumentHead {
  /// Whether the items are in UTF-8, or tell where they are not.
  package var holdsUTF8: Bool {
    guard let xml else { return true }
    return switch xml.encoding {
    case .utf8, .undeclared, .windows1252: true
    case .named: false
    }
  }
}

extension RowReader {
  /// Names that a post may have of its source rather than of its row.
  package var namesOfSource: [String] { head.namesOfAuthors }
}

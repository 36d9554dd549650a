import TextLayout

extension Post {
  /// Calls `body` with each text that a search of the post examines, until it returns true: the
  /// texts that the post's cell shows, except addresses beside a text, and the texts that a warning
  /// hides until they are revealed. Of a post that a filter folds away only the reason is searched.
  ///
  /// - Returns: whether `body` returned true.
  package func anySearchedText(_ body: (String) -> Bool) -> Bool {
    if let filter { return body(filter) }
    if let repostedBy, body(repostedBy.name) || body(repostedBy.handle) { return true }
    if let author, body(author.name) || body(author.handle) { return true }
    if let source, body(source) { return true }
    if any(title, body) { return true }
    if let contentWarning, body(contentWarning) { return true }
    return anyContentText(body)
  }

  /// Calls `body` with each text hidden by the warnings of the post and of posts within it, until
  /// it returns true.
  ///
  /// - Returns: whether `body` returned true.
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
  /// The post as it is shown: text that is kept in the form of its source is read.
  ///
  /// - Complexity: O(n) in the bytes of such a text
  package var withParsedText: Post {
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
    post.quotes = quotes.map(\.withParsedText)
    return post
  }
}

extension DocumentHead {
  /// Whether the items are in UTF-8, or in an encoding whose bytes are recognizably not UTF-8.
  package var holdsUTF8: Bool {
    guard let xml else { return true }
    return switch xml.encoding {
    case .utf8, .undeclared, .windows1252: true
    case .named: false
    }
  }
}

extension RowReader {
  /// Names that a post may take from its source instead of its row.
  package var sourceNames: [String] { head.fallbackAuthorNames }
}

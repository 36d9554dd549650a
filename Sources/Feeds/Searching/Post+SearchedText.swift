import TextLayout

extension Post {
  /// Calls `body` with each text that a search of the post examines, until it returns true: the
  /// texts that the post's cell shows, including those that a warning hides until they are
  /// revealed, but no addresses beside a text. If the user's filter collapses the post, only the
  /// filter's name is searched.
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

  /// Calls `body` with each text hidden by the warnings of the post and of its quotes, until
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

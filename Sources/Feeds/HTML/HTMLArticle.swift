/// Articles that other programs take out of web pages.
package enum HTMLArticle {
  /// An article as a post; `nil` if the HTML shows nothing.
  ///
  /// - Parameters:
  ///   - html: the article, or a page that consists of it.
  ///   - address: the page's address, against which others are made absolute.
  ///   - post: the post that the article belongs to: what that hides is hidden, and requests for
  ///     pictures reach as far as its own.
  /// - Complexity: as of ``HTMLReader``.
  package static func post(from html: String, at address: String, of post: Post) -> Post? {
    let content = HTMLReader.read(html, base: address)
    guard content.hasText || !content.pictures.isEmpty else { return nil }
    var article = Post(id: "article of \(post.id)")
    content.fill(&article)
    article.pictures = content.pictures
    article.attachments = content.attachments
    article.damage = content.damage
    article.url = address
    article.language = post.language
    article.contentWarning = post.contentWarning
    article.filter = post.filter
    article.isSensitive = post.isSensitive
    article.reach = post.reach
    return article
  }
}

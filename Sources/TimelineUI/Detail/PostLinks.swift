import Feeds
import Terminal
import TerminalApp
import TextLayout

/// The links of a post in the order in which keys count them: its own page, then the links in its
/// text and of its attachments. No address occurs twice. Links behind a warning are left out until
/// they are revealed: their text would give away what the warning hides.
struct PostLinks {
  private(set) var links: [Link] = []
  private var known: Set<String> = []

  /// The number of links of a post at most. `500`
  static let maximumCount = 500

  /// - Parameter isRevealed: whether content that the post hides is shown.
  /// - Complexity: O(n) in the post's texts.
  init(of post: Post, isRevealed: Bool) {
    let cover = isRevealed ? nil : PostCover(of: post)
    add(post.url, "the post")
    if cover?.hides(.content) != true { addContent(of: post, isRevealed: isRevealed) }
    if cover?.hides(.pictures) != true { addPictures(of: post) }
    if let author = post.author {
      add(author.url, author.shownName)
    }
  }

  private mutating func addContent(of post: Post, isRevealed: Bool) {
    add(post.externalURL, "the page it is about")
    add(post.title)
    add(post.body)
    if let card = post.card { add(card.url, card.title) }
    addFiles(of: post)
    for quote in post.quotes { add(quote: quote, isRevealed: isRevealed) }
  }

  private mutating func addFiles(of post: Post) {
    for file in post.attachments { add(file.url, file.shownName, mediaType: file.mediaType) }
  }

  private mutating func addPictures(of post: Post) {
    // A picture in an archive can be shown, but has no address to open.
    for picture in post.pictures where (try? LinkAddress(picture.url)) != nil {
      add(
        picture.url,
        picture.alternativeText.isEmpty ? "picture" : "picture: \(picture.alternativeText)",
        mediaType: "image/")
    }
  }

  private mutating func add(quote: Post, isRevealed: Bool) {
    add(quote.url, "the quoted post")
    let cover = isRevealed ? nil : PostCover(of: quote)
    guard cover?.hides(.content) != true else { return }
    add(quote.title)
    add(quote.body)
    if let card = quote.card { add(card.url, card.title) }
    if cover?.hides(.pictures) != true { addPictures(of: quote) }
    addFiles(of: quote)
    for inner in quote.quotes { add(quote: inner, isRevealed: isRevealed) }
  }

  private mutating func add(_ address: String?, _ text: String, mediaType: String = "") {
    guard links.count < Self.maximumCount, let address, !address.isEmpty,
      known.insert(address).inserted
    else { return }
    links.append(Link(address, text: text, mediaType: mediaType))
  }

  /// Adds the links of a text, each with all its words, even if these have several styles.
  private mutating func add(_ text: StyledText) {
    guard !text.links.isEmpty else { return }
    for paragraph in text.paragraphs {
      var words = ""
      var open: Int?
      func end() {
        if let open, text.links.indices.contains(open) { add(text.links[open], words) }
        words = ""
      }
      for run in paragraph.runs {
        if run.style.link != open { end() }
        open = run.style.link
        guard open != nil else { continue }
        words += paragraph.string.slice(utf8: run.range)
      }
      end()
    }
  }
}

import HTTP
import TextLayout

/// One item of a timeline, independent of the format it was read from.
///
/// It contains no control character or other sequence that a terminal would interpret: its strings
/// are `Sanitized`, its texts `StyledText`. Only the `blurHash` of a picture and the text of a post
/// that was read as ``ContentForm/source`` are as the source wrote them.
public struct Post: Hashable, Sendable {
  /// The maximum number of pictures of a post that a list shows; further ones are named.
  public static let maximumPictures = 8

  /// The author of a post.
  public struct Author: Hashable, Sendable {
    /// The name as the source writes it.
    @Sanitized public var name: String
    /// A handle such as `"@gauge@tideline.example"`; empty if the source has none.
    @Sanitized public var handle: String
    /// The author's own page.
    @SanitizedOptional public var url: String?
    /// The address of the author's picture.
    @SanitizedOptional public var avatar: String?

    /// The name, or the handle if there is no name.
    package var shownName: String { name.isEmpty ? handle : name }

    /// The author; `nil` if both name and handle are empty.
    var named: Post.Author? { name.isEmpty && handle.isEmpty ? nil : self }

    fileprivate var textBytes: Int {
      [name, handle, url ?? "", avatar ?? ""].reduce(0) { $0 + $1.utf8.count }
    }

    /// An author with a name; everything else is optional.
    public init(name: String, handle: String = "", url: String? = nil, avatar: String? = nil) {
      self.name = name
      self.handle = handle
      self.url = url
      self.avatar = avatar
    }
  }

  /// A picture that belongs to the post.
  public struct Picture: Hashable, Sendable {
    /// The address of the file.
    @Sanitized public var url: String
    /// A description of the picture; empty if the source has none.
    @Sanitized public var alternativeText: String
    /// The declared width in pixels. If the size is known, the row has its final height before the
    /// picture is fetched.
    public var width: Int?
    /// The declared height in pixels.
    public var height: Int?
    /// The index of the paragraph of the post's body before which the picture stands, 0…the number
    /// of paragraphs; `nil` if the picture is attached to the post and has no place in its text.
    public var place: Int?
    /// A blurred preview that is shown until the picture has loaded, as Mastodon writes it
    /// (`BlurHash`); `nil` if the source has none.
    public var blurHash: String?

    /// The address for display; of a `data:` address, which contains the picture, only the type.
    package var displayURL: String {
      url.utf8.starts(with: "data:".utf8) ? String(url.prefix { $0 != "," && $0 != ";" }) : url
    }

    /// A picture at an address.
    public init(
      url: String, alternativeText: String = "", width: Int? = nil, height: Int? = nil,
      place: Int? = nil
    ) {
      self.url = url
      self.alternativeText = alternativeText
      self.width = width
      self.height = height
      self.place = place
    }
  }

  /// A file that belongs to the post and is not a picture: sound, film, document.
  public struct Attachment: Hashable, Sendable {
    /// The address of the file.
    @Sanitized public var url: String
    /// A media type such as `"audio/mpeg"`; empty if the source has none.
    @Sanitized public var mediaType: String
    /// The title; empty if the source has none.
    @Sanitized public var title: String
    /// The size in bytes, if the source gives it.
    public var byteCount: Int?
    /// The duration in seconds, if the source gives it.
    public var duration: Double?
    /// The paragraph before which the text shows the file, such as a film; as for a picture.
    public var place: Int?

    /// The title, else the file's name, else the address.
    package var shownName: String {
      title.isEmpty ? FeedAddress.fileName(of: url) ?? url : title
    }

    /// A file at an address. A size that is not positive and a negative duration count as not given.
    public init(
      url: String, mediaType: String = "", title: String = "", byteCount: Int? = nil,
      duration: Double? = nil, place: Int? = nil
    ) {
      self.url = url
      self.mediaType = mediaType
      self.title = title
      self.byteCount = byteCount.flatMap { $0 > 0 ? $0 : nil }
      self.duration = duration.flatMap { $0 >= 0 ? $0 : nil }
      self.place = place
    }
  }

  /// The numbers of replies, reposts and likes; `nil` if the source does not give one.
  public struct Counts: Hashable, Sendable {
    /// The number of replies.
    public var replies: Int?
    /// The number of reposts.
    public var reposts: Int?
    /// The number of likes.
    public var likes: Int?

    /// - Precondition: no count is below 0.
    public init(replies: Int? = nil, reposts: Int? = nil, likes: Int? = nil) {
      self.replies = replies
      self.reposts = reposts
      self.likes = likes
    }

    /// Whether all counts are zero or unknown.
    public var isEmpty: Bool { [replies, reposts, likes].allSatisfy { ($0 ?? 0) == 0 } }
  }

  /// A question with answers to choose from, and the votes.
  public struct Poll: Hashable, Sendable {
    /// An answer to choose.
    public struct Option: Hashable, Sendable {
      /// The text of the answer.
      @Sanitized public var title: String
      /// The number of votes; `nil` while it is not published.
      public var votes: Int?

      /// An answer, with its votes if they are known.
      public init(title: String, votes: Int? = nil) {
        self.title = title
        self.votes = votes
      }
    }

    /// The answers in source order.
    public var options: [Option]
    /// The number of voters if each may choose several answers; otherwise `nil`, and the votes are
    /// summed.
    public var voters: Int?
    /// The end of the poll, in seconds since 1970, UTC; `nil` if it has none.
    public var closes: Double?

    /// A poll, by default without an end.
    public init(options: [Option], voters: Int? = nil, closes: Double? = nil) {
      self.options = options
      self.voters = voters
      self.closes = closes
    }

    /// The share of the votes that `option` has, 0…1; `nil` if its votes are unknown. If a server
    /// reports fewer voters than one option has votes, the sum of the votes is used instead.
    public func share(of option: Option) -> Double? {
      guard let votes = option.votes else { return nil }
      let sum = options.reduce(0.0) { $0 + Double($1.votes ?? 0) }
      let most = options.lazy.compactMap(\.votes).max() ?? 0
      let all = voters.flatMap { $0 >= most ? Double($0) : nil } ?? max(sum, 0)
      return all > 0 ? min(1, Double(votes) / all) : 0
    }
  }

  /// A page that the post links to.
  public struct Card: Hashable, Sendable {
    /// Its address.
    @Sanitized public var url: String
    /// The page's title; empty if the source has none.
    @Sanitized public var title: String

    /// A card for the page at `url`.
    public init(url: String, title: String = "") {
      self.url = url
      self.title = title
    }
  }

  /// The id, unique within the timeline; derived from the content or the position if the source has
  /// none.
  @Sanitized public var id: String
  /// The id in its own feed, if ``id`` also names the feed because several feeds are merged.
  package var idInFeed: String?
  /// The author; `nil` if the source names none.
  public var author: Author?
  /// The title; empty for most posts of social networks.
  public var title = StyledText()
  /// The text.
  public var body = StyledText()
  /// The time of publication, in seconds since 1970, UTC.
  public var published: Double?
  /// The time of the last change, as `published`.
  public var modified: Double?
  /// Whether the source names the time zone of these times. If not, they are local times of an
  /// unknown zone, stored as if they were in UTC.
  public var hasZone = true
  /// The post's own page.
  @SanitizedOptional public var url: String? = nil
  /// The page that the post is about, if it is not the post's own.
  @SanitizedOptional public var externalURL: String? = nil
  /// The pictures in the text in the order of their places, then the others.
  public var pictures: [Picture] = []
  /// The attachments in source order.
  public var attachments: [Attachment] = []
  /// The text in its source's form, if it was read as ``ContentForm/source``.
  package var sourceText: SourceText?
  /// The tags, without `#`.
  @SanitizedArray public var tags: [String] = []
  /// The title or name of the post's timeline, if posts of several timelines are merged; otherwise
  /// `nil`.
  @SanitizedOptional public var source: String? = nil
  /// The language as the source names it, such as `"en"`.
  @SanitizedOptional public var language: String? = nil
  /// The warning shown in front of text and pictures, such as `"adult"`; `nil` if there is none.
  @SanitizedOptional public var contentWarning: String? = nil
  /// Whether the pictures are hidden until the reader reveals them.
  public var isSensitive = false
  /// The name of the reader's own filter that collapses the whole post.
  @SanitizedOptional public var filter: String? = nil
  /// The id or address of the post that this one answers.
  @SanitizedOptional public var inReplyTo: String? = nil
  /// The account that repeated ("boosted", "reposted") the post here; `nil` if it is no repost.
  public var repostedBy: Author?
  /// The numbers of replies, reposts and likes; `nil` if the source gives none.
  public var counts: Counts?
  /// A question with answers to choose from.
  public var poll: Poll?
  /// The page that its text links to.
  public var card: Card?
  /// Posts of others that are shown within this one, usually one.
  public var quotes: [Post] = []
  /// The reason why the item could not be read completely; its row shows a mark.
  public var damage: String? {
    get { reason }
    set { reason = newValue.map(Sanitizing.collapsed) }
  }
  /// Whether its text is the item's source, as no field of it could be read.
  var holdsSource = false
  /// Whether the item could not be read at all: its row is an error and no post.
  package var isError: Bool { damage != nil && (holdsSource || isBlank) }
  /// One line with single spaces: the setter of `damage` collapses it.
  @SanitizedOptional private var reason: String? = nil
  /// How far requests to its addresses may reach, by the origin of the post: to public addresses,
  /// unless the reader of the source sets another reach.
  public var reach = RequestScope.publicAddresses

  /// A post that has nothing but an id.
  public init(id: String) { self.id = id }

  mutating func addDamage(_ reason: String) {
    damage = [damage, reason].compactMap { $0 }.joined(separator: "; ")
  }

  /// Marks a post of a converted source as damaged if some of its bytes had no meaning.
  package mutating func markReplacements() {
    if containsReplacementCharacter { addDamage("bytes that are not text were replaced") }
  }

  /// Whether the post has nothing to show except its damage.
  package var isBlank: Bool {
    title.isEmpty && body.isEmpty && sourceText == nil && pictures.isEmpty && attachments.isEmpty
      && url == nil
  }

  var containsReplacementCharacter: Bool {
    [title.plainText, body.plainText, author?.name ?? ""]
      .contains { $0.unicodeScalars.contains("\u{FFFD}") }
      || sourceText?.containsReplacementCharacter == true
  }

  /// The texts that are properties of the post itself, and a line each.
  var lines: [String] {
    [id, url, externalURL, source, language, contentWarning, filter, inReplyTo, damage]
      .compactMap(\.self)
  }

  /// The approximate memory use in bytes, by which collections of posts are bounded.
  ///
  /// - Complexity: O(n) in its paragraphs, pictures, attachments, tags and quotes.
  package var footprint: Int {
    var bytes = MemoryLayout<Post>.stride + title.footprint + body.footprint
    bytes += sourceText?.byteCount ?? 0
    for line in lines { bytes += line.utf8.count }
    for author in [author, repostedBy].compactMap(\.self) { bytes += author.textBytes }
    for picture in pictures {
      bytes += MemoryLayout<Picture>.stride + picture.url.utf8.count
      bytes += picture.alternativeText.utf8.count + (picture.blurHash?.utf8.count ?? 0)
    }
    for file in attachments {
      bytes += MemoryLayout<Attachment>.stride + file.url.utf8.count + file.title.utf8.count
    }
    for tag in tags { bytes += MemoryLayout<String>.stride + tag.utf8.count }
    for option in poll?.options ?? [] {
      bytes += MemoryLayout<Poll.Option>.stride + option.title.utf8.count
    }
    if let card { bytes += card.url.utf8.count + card.title.utf8.count }
    return quotes.reduce(bytes) { $0 + $1.footprint }
  }

  /// A post that consists of its address, because nothing else of it is known.
  static func link(to address: String) -> Post {
    let url = Sanitizer.line(address)
    var post = Post(id: url)
    post.url = url
    post.body.append(url, style: TextStyle(role: .link, link: post.body.addLink(url)))
    return post
  }

  /// A placeholder that names the reason why a post is unavailable.
  static func absent(id: String, _ reason: some GeneratedText, _ more: String = "") -> Post {
    var post = Post(id: id)
    post.body.append(reason.text + more)
    return post
  }

  /// The author's name and handle, and the source; each `nil` if unknown or equal to one before it.
  package struct Byline {
    package var name: String?
    package var handle: String?
    package var source: String?
  }

  /// - Complexity: O(n) in the names.
  package var byline: Byline {
    var said: Set<String> = []
    func part(_ text: String?) -> String? {
      guard let text, !text.isEmpty, said.insert(text.lowercased()).inserted else { return nil }
      return text
    }
    return Byline(name: part(author?.name), handle: part(author?.handle), source: part(source))
  }

  /// The post as it is shown: text that is kept in the form of its source is parsed.
  ///
  /// - Complexity: O(n) in the bytes of such a text.
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

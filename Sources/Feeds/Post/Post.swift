import HTTP
import TextLayout

/// One item of a timeline, independent of the format it was read from.
///
/// It contains no control character or other sequence that a terminal would interpret: its strings
/// are `Sanitized`, its texts `StyledText`.
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
    @Sanitized public var url: String?
    /// The address of the author's picture.
    @Sanitized public var avatar: String?

    /// The name, or the handle if there is no name.
    package var shownName: String { name.isEmpty ? handle : name }

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

    /// A file at an address.
    public init(
      url: String, mediaType: String = "", title: String = "", byteCount: Int? = nil,
      duration: Double? = nil, place: Int? = nil
    ) {
      self.url = url
      self.mediaType = mediaType
      self.title = title
      self.byteCount = byteCount
      self.duration = duration
      self.place = place
    }
  }

  /// The id, unique within the timeline; derived from the content or the position if the source has
  /// none.
  @Sanitized public var id: String
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
  @Sanitized public var url: String? = nil
  /// The page that the post is about, if it is not the post's own.
  @Sanitized public var externalURL: String? = nil
  /// The pictures in the text in the order of their places, then the others.
  public var pictures: [Picture] = []
  /// The attachments in source order.
  public var attachments: [Attachment] = []
  /// The text in its source's form, if it was read as ``ContentForm/source``.
  package var sourceText: SourceText?
  /// The tags, without `#`.
  @Sanitized public var tags: [String] = []
  /// The title or name of the post's timeline, if posts of several timelines are merged; otherwise
  /// `nil`.
  @Sanitized public var source: String? = nil
  /// The language as the source names it, such as `"en"`.
  @Sanitized public var language: String? = nil
  /// The warning shown in front of text and pictures, such as `"adult"`; `nil` if there is none.
  @Sanitized public var contentWarning: String? = nil
  /// Whether the pictures are hidden until the reader reveals them.
  public var isSensitive = false
  /// The name of the reader's own filter that collapses the whole post.
  @Sanitized public var filter: String? = nil
  /// The id or address of the post that this one answers.
  @Sanitized public var inReplyTo: String? = nil
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
  /// One line with single spaces: the setter of `damage` collapses it.
  @Sanitized private var reason: String? = nil
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
}

import HTTP
import TextLayout

/// One item of a timeline, whatever it was read from.
///
/// It holds no control character and nothing else that a terminal could obey: its strings are
/// ``Sanitized``, its texts ``StyledText``.
public struct Post: Hashable, Sendable {
  /// Pictures of a post that are shown; further ones are named.
  public static let maximumPictures = 8

  /// Who wrote it.
  public struct Author: Hashable, Sendable {
    @Sanitized public var name: String
    /// `"@gauge@tideline.example"`; empty where the source has none.
    @Sanitized public var handle: String
    @Sanitized public var url: String?
    @Sanitized public var avatar: String?

    public init(name: String, handle: String = "", url: String? = nil, avatar: String? = nil) {
      self.name = name
      self.handle = handle
      self.url = url
      self.avatar = avatar
    }
  }

  /// A picture that belongs to the post.
  public struct Picture: Hashable, Sendable {
    @Sanitized public var url: String
    /// What the picture shows, in words; empty where the source says nothing.
    @Sanitized public var alternativeText: String
    /// Declared size in pixels: where known, the row has its final height before a byte is fetched.
    public var width: Int?
    public var height: Int?

    public init(url: String, alternativeText: String = "", width: Int? = nil, height: Int? = nil) {
      self.url = url
      self.alternativeText = alternativeText
      self.width = width
      self.height = height
    }
  }

  /// A file that belongs to the post and is not a picture: sound, film, document.
  public struct Attachment: Hashable, Sendable {
    @Sanitized public var url: String
    @Sanitized public var mediaType: String
    @Sanitized public var title: String
    /// Size in bytes and duration in seconds, where the source says.
    public var byteCount: Int?
    public var duration: Double?

    public init(
      url: String, mediaType: String = "", title: String = "", byteCount: Int? = nil,
      duration: Double? = nil
    ) {
      self.url = url
      self.mediaType = mediaType
      self.title = title
      self.byteCount = byteCount
      self.duration = duration
    }
  }

  /// Unique within its timeline; made up from the content where the source has none.
  @Sanitized public var id: String
  public var author: Author?
  public var title: StyledText
  public var body: StyledText
  /// Seconds since 1970, UTC.
  public var published: Double?
  public var modified: Double?
  @Sanitized public var url: String? = nil
  @Sanitized public var externalURL: String? = nil
  public var pictures: [Picture]
  public var attachments: [Attachment]
  @Sanitized public var tags: [String]
  @Sanitized public var language: String? = nil
  /// What a reader is warned of before text and pictures, such as `"adult"`; nil where nothing is.
  @Sanitized public var contentWarning: String? = nil
  /// Its pictures are not for everybody: they show when the reader asks for them.
  public var isSensitive: Bool
  /// The reader's own filter that folds the whole post away, by name.
  @Sanitized public var filter: String? = nil
  /// The id or address of the post this one answers.
  @Sanitized public var inReplyTo: String? = nil
  /// Who repeated it here ("boosted", "reposted"); nil where it stands for itself.
  public var repostedBy: Author?
  public var counts: Counts?
  public var poll: Poll?
  /// The page that its text leads to.
  public var card: Card?
  /// Posts of others shown within this one: one, as a rule.
  public var quotes: [Post]
  /// Why this item could not be read (whole): shown as a mark on its row.
  public var damage: String? {
    get { reason }
    set { reason = newValue.map(Sanitizing.collapsed) }
  }
  /// On one line, whatever the source has put into it.
  @Sanitized private var reason: String? = nil
  /// How far its addresses may lead, by where it came from. To public ones until whoever read it says
  /// otherwise.
  public var reach = HTTPReach.publicAddresses

  public init(id: String) {
    self.id = id
    self.title = StyledText()
    self.body = StyledText()
    self.pictures = []
    self.attachments = []
    self.tags = []
    self.isSensitive = false
    self.quotes = []
  }
}

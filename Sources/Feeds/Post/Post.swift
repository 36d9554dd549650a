import HTTP
import TextLayout

/// One item of a timeline, whatever it was read from.
///
/// It holds no control character and nothing else that a terminal could obey: its strings are
/// `Sanitized`, its texts `StyledText`.
public struct Post: Hashable, Sendable {
  /// Pictures of a post that are shown; further ones are named.
  public static let maximumPictures = 8

  /// Who wrote it.
  public struct Author: Hashable, Sendable {
    /// As the source writes it.
    @Sanitized public var name: String
    /// `"@gauge@tideline.example"`; empty where the source has none.
    @Sanitized public var handle: String
    /// The author's own page.
    @Sanitized public var url: String?
    /// The address of a picture.
    @Sanitized public var avatar: String?

    /// The name, or what stands in for one.
    package var shownName: String { name.isEmpty ? handle : name }

    /// An author of whom the name is known.
    public init(name: String, handle: String = "", url: String? = nil, avatar: String? = nil) {
      self.name = name
      self.handle = handle
      self.url = url
      self.avatar = avatar
    }
  }

  /// A picture that belongs to the post.
  public struct Picture: Hashable, Sendable {
    /// Where it is.
    @Sanitized public var url: String
    /// What the picture shows, in words; empty where the source says nothing.
    @Sanitized public var alternativeText: String
    /// Declared size in pixels: where known, the row has its final height before a byte is fetched.
    public var width: Int?
    /// As `width`.
    public var height: Int?
    /// The paragraph of the post's body before which it stands, 0…the number of paragraphs; nil
    /// where it is attached to the post and has no place in its text.
    public var place: Int?
    /// A few waves of colour that stand for it until it is there, as Mastodon writes them
    /// (`BlurHash`); nil where the source has none.
    public var blurHash: String?

    /// Its address for people: of one that holds the picture the type alone.
    package var shownURL: String {
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
    /// Where it is.
    @Sanitized public var url: String
    /// Such as `"audio/mpeg"`; empty where the source has none.
    @Sanitized public var mediaType: String
    /// Empty where the source has none.
    @Sanitized public var title: String
    /// Size in bytes and duration in seconds, where the source says.
    public var byteCount: Int?
    /// Seconds.
    public var duration: Double?
    /// As a picture's: where the text shows it, such as a film.
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

  /// Unique within its timeline; made up from the content where the source has none.
  @Sanitized public var id: String
  /// Who wrote it; nil where nobody is named.
  public var author: Author?
  /// Its title; empty for those of social networks.
  public var title = StyledText()
  /// Its text.
  public var body = StyledText()
  /// Seconds since 1970, UTC.
  public var published: Double?
  /// As `published`, for the last change.
  public var modified: Double?
  /// Whether the source names the zone of these times. Where it does not, they are what a clock
  /// showed somewhere, written as if it was UTC.
  public var hasZone = true
  /// Where it stands by itself.
  @Sanitized public var url: String? = nil
  /// The page that it is about, where that is another one.
  @Sanitized public var externalURL: String? = nil
  /// Those with a place in the text by their places, then the others; each once.
  public var pictures: [Picture] = []
  /// In their order.
  public var attachments: [Attachment] = []
  /// The text as its source has it, where it was read as ``ContentForm/source``.
  package var sourceText: SourceText?
  /// Without their marks.
  @Sanitized public var tags: [String] = []
  /// The timeline that it was read from, where it stands among posts of others; else nil.
  @Sanitized public var source: String? = nil
  /// As its source names it, such as `"en"`.
  @Sanitized public var language: String? = nil
  /// What a reader is warned of before text and pictures, such as `"adult"`; nil where nothing is.
  @Sanitized public var contentWarning: String? = nil
  /// Its pictures are not for everybody: they show when the reader asks for them.
  public var isSensitive = false
  /// The reader's own filter that folds the whole post away, by name.
  @Sanitized public var filter: String? = nil
  /// The id or address of the post this one answers.
  @Sanitized public var inReplyTo: String? = nil
  /// Who repeated it here ("boosted", "reposted"); nil where it stands for itself.
  public var repostedBy: Author?
  /// How often it was answered, repeated and liked; nil where nothing is told.
  public var counts: Counts?
  /// A question with answers to choose from.
  public var poll: Poll?
  /// The page that its text leads to.
  public var card: Card?
  /// Posts of others shown within this one: one, as a rule.
  public var quotes: [Post] = []
  /// Why this item could not be read (whole): shown as a mark on its row.
  public var damage: String? {
    get { reason }
    set { reason = newValue.map(Sanitizing.collapsed) }
  }
  /// On one line, whatever the source has put into it.
  @Sanitized private var reason: String? = nil
  /// How far its addresses may lead, by where it came from. To public ones until whoever read it
  /// says otherwise.
  public var reach = HTTPReach.publicAddresses

  /// A post without anything but its identity.
  public init(id: String) { self.id = id }

  mutating func addDamage(_ reason: String) {
    damage = [damage, reason].compactMap { $0 }.joined(separator: "; ")
  }

  /// Marks a post of a source that was converted, where some of its bytes had no meaning.
  package mutating func markReplacements() {
    if holdsReplacement { addDamage("bytes that are not text were replaced") }
  }

  /// Nothing of it can be shown but its damage.
  package var isBlank: Bool {
    title.isEmpty && body.isEmpty && sourceText == nil && pictures.isEmpty && attachments.isEmpty
      && url == nil
  }

  var holdsReplacement: Bool {
    [title.plainText, body.plainText, author?.name ?? ""]
      .contains { $0.unicodeScalars.contains("\u{FFFD}") } || sourceText?.holdsReplacement == true
  }
}

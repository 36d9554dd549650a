import TextLayout

extension Post {
  /// How often it was answered, repeated and liked; nil where the source does not say.
  public struct Counts: Hashable, Sendable {
    /// Posts that answer it.
    public var replies: Int?
    /// Times it was repeated.
    public var reposts: Int?
    /// Times it was liked.
    public var likes: Int?

    /// - Precondition: no count is below 0.
    public init(replies: Int? = nil, reposts: Int? = nil, likes: Int? = nil) {
      self.replies = replies
      self.reposts = reposts
      self.likes = likes
    }

    /// Whether there is nothing to tell.
    public var isEmpty: Bool { [replies, reposts, likes].allSatisfy { ($0 ?? 0) == 0 } }
  }

  /// A question with answers to choose from, and how they were chosen.
  public struct Poll: Hashable, Sendable {
    /// An answer to choose.
    public struct Option: Hashable, Sendable {
      /// What it says.
      @Sanitized public var title: String
      /// Nil where the votes are not told yet.
      public var votes: Int?

      /// An answer, with its votes where they are told.
      public init(title: String, votes: Int? = nil) {
        self.title = title
        self.votes = votes
      }
    }

    /// In the order of the source.
    public var options: [Option]
    /// How many have voted, where one may choose several; else the votes tell.
    public var voters: Int?
    /// When it ends, in seconds since 1970, UTC; nil where it has no end.
    public var closes: Double?

    /// A poll; without an end unless one is given.
    public init(options: [Option], voters: Int? = nil, closes: Double? = nil) {
      self.options = options
      self.voters = voters
      self.closes = closes
    }

    /// An option's part of the votes, 0…1; nil where the votes are not told. Servers that count
    /// fewer voters than one option has votes are not believed: the votes tell then.
    public func share(of option: Option) -> Double? {
      guard let votes = option.votes else { return nil }
      let sum = options.reduce(0.0) { $0 + Double($1.votes ?? 0) }
      let most = options.lazy.compactMap(\.votes).max() ?? 0
      let all = voters.flatMap { $0 >= most ? Double($0) : nil } ?? max(sum, 0)
      return all > 0 ? min(1, Double(votes) / all) : 0
    }
  }

  /// A page that the post leads to.
  public struct Card: Hashable, Sendable {
    /// Its address.
    @Sanitized public var url: String
    /// Empty where the source has none.
    @Sanitized public var title: String

    /// A page at an address.
    public init(url: String, title: String = "") {
      self.url = url
      self.title = title
    }
  }

  /// Bytes of memory that it takes, about: what collections of posts are bounded by.
  ///
  /// - Complexity: O(n) in its paragraphs, pictures, attachments, tags and quotes.
  package var footprint: Int {
    var bytes = MemoryLayout<Post>.stride + title.footprint + body.footprint
    bytes += sourceText?.byteCount ?? 0
    for text in [id, url, externalURL, source, language, contentWarning, filter, inReplyTo, damage]
    {
      bytes += text?.utf8.count ?? 0
    }
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

  /// A post that holds nothing but an address: all that is known of one elsewhere.
  static func link(to address: String) -> Post {
    let url = Sanitizer.line(address)
    var post = Post(id: url)
    post.url = url
    post.body.append(url, style: TextStyle(role: .link, link: post.body.addLink(url)))
    return post
  }

  /// A post that says that another one is not there, and why.
  static func absent(id: String, _ reason: OwnWords, _ more: String = "") -> Post {
    var post = Post(id: id)
    post.body.append(reason.text + more)
    return post
  }

  /// The author's name and handle, and the source; each nil where nothing is known of it, and where
  /// one before says it already.
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
}

extension Post.Attachment {
  /// What it is called: its title, else its file's name, else its address.
  package var shownName: String {
    title.isEmpty ? FeedAddress.fileName(of: url) ?? url : title
  }
}

extension Post.Author {
  /// Nil where there is neither a name nor a handle.
  var named: Post.Author? { name.isEmpty && handle.isEmpty ? nil : self }

  fileprivate var textBytes: Int {
    [name, handle, url ?? "", avatar ?? ""].reduce(0) { $0 + $1.utf8.count }
  }
}

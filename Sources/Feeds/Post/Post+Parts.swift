import TextLayout

extension Post {
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

  /// The approximate memory use in bytes, by which collections of posts are bounded.
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

  /// A post that consists of an address, for one of which nothing else is known.
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
}

extension Post.Attachment {
  /// The title, else the file's name, else the address.
  package var shownName: String {
    title.isEmpty ? FeedAddress.fileName(of: url) ?? url : title
  }
}

extension Post.Author {
  /// The author; `nil` if both name and handle are empty.
  var named: Post.Author? { name.isEmpty && handle.isEmpty ? nil : self }

  fileprivate var textBytes: Int {
    [name, handle, url ?? "", avatar ?? ""].reduce(0) { $0 + $1.utf8.count }
  }
}

import HTTP
import TextLayout

/// Writes posts as items of a JSON Feed. The member `_tideline` holds the fields that JSON Feed
/// does not define.
enum JSONItemWriter {
  /// - Returns: the range of the id, without its quotation marks.
  static func write(_ post: Post, to output: inout JSONWriter) -> Range<Int> {
    var id = 0..<0
    output.object { output in
      let start = output.bytes.count + "\"id\":\"".utf8.count
      output.member("id", post.id)
      id = start..<output.bytes.count - 1
      output.member("url", post.url)
      output.member("external_url", post.externalURL)
      if !post.title.isEmpty { output.member("title", post.title.plainText) }
      writeText(of: post, to: &output)
      output.member("date_published", time(post.published, hasZone: post.hasZone))
      output.member("date_modified", time(post.modified, hasZone: post.hasZone))
      output.member("authors", [post.author].compactMap { $0 }, write)
      output.member("tags", post.tags) { $1.string($0) }
      output.member("language", post.language)
      let pictures = post.pictures.filter { $0.place == nil }
      let files = post.attachments.filter { post.sourceText == nil || $0.place == nil }
      if !pictures.isEmpty || !files.isEmpty {
        output.name("attachments")
        output.array(pictures.map(File.picture) + files.map(File.other), write)
      }
      output.member("_tideline") { writeOwn(post, to: &$0) }
    }
    return id
  }

  private static func writeText(of post: Post, to output: inout JSONWriter) {
    switch post.sourceText {
    case .html(let html): output.member("content_html", html)
    case .text(let text): output.member("content_text", text)
    case nil:
      let placed = post.pictures.filter { $0.place != nil }
      let text = post.body.plainText
      if placed.isEmpty, post.body == PlainText.styled(text) {
        output.member("content_text", text)
      } else {
        output.member("content_html", HTMLWriter.html(post.body, pictures: placed))
      }
    }
  }

  /// Writes the fields that JSON Feed does not define.
  private static func writeOwn(_ post: Post, to output: inout JSONWriter) {
    output.member("error", post.damage)
    output.member("warning", post.contentWarning)
    output.member("in_reply_to", post.inReplyTo)
    output.member("sensitive", flag: post.isSensitive)
    output.member("filter", post.filter)
    output.member("source", post.source)
    if let author = post.repostedBy {
      output.name("reposted_by")
      write(author, to: &output)
    }
    if let counts = post.counts {
      output.member("counts") { output in
        output.member("replies", number: counts.replies)
        output.member("reposts", number: counts.reposts)
        output.member("likes", number: counts.likes)
      }
    }
    if let poll = post.poll {
      output.member("poll") { output in
        output.name("options")
        output.array(poll.options) { option, output in
          output.object { output in
            output.member("title", option.title)
            output.member("votes", number: option.votes)
          }
        }
        output.member("voters", number: poll.voters)
        output.member("closes", time(poll.closes))
      }
    }
    if let card = post.card {
      output.member("card") { output in
        output.member("url", card.url)
        output.words("title", card.title)
      }
    }
    output.member("quotes", post.quotes) { _ = write($0, to: &$1) }
  }

  private static func write(_ author: Post.Author, to output: inout JSONWriter) {
    output.object { output in
      output.member("name", author.name)
      output.member("url", author.url)
      output.member("avatar", author.avatar)
      output.member("_tideline") { $0.words("handle", author.handle) }
    }
  }

  private enum File {
    case picture(Post.Picture)
    case other(Post.Attachment)
  }

  private static func write(_ file: File, to output: inout JSONWriter) {
    output.object { output in
      switch file {
      case .picture(let picture):
        output.member("url", picture.url)
        output.member("mime_type", FeedAddress.pictureType(of: picture.url) ?? "image/jpeg")
        output.words("title", picture.alternativeText)
        output.member("_tideline") { output in
          output.member("width", number: picture.width)
          output.member("height", number: picture.height)
        }
      case .other(let file):
        output.member("url", file.url)
        output.member(
          "mime_type", file.mediaType.isEmpty ? "application/octet-stream" : file.mediaType)
        output.words("title", file.title)
        output.member("size_in_bytes", number: file.byteCount)
        output.member("duration_in_seconds", number: file.duration)
      }
    }
  }

  /// The time as in RFC 3339. If the zone is unknown, it is left out: RFC 3339 requires one, but
  /// UTC would be a guess.
  private static func time(_ seconds: Double?, hasZone: Bool = true) -> String? {
    seconds.map { seconds in
      let time = CivilTime(seconds: seconds).rfc3339
      return hasZone ? time : String(time.dropLast())
    }
  }
}

import HTTP
import TextLayout

/// Posts as text for a pipe, and as JSON for a program.
public enum PostWriter {
  /// The post as paragraphs with a blank line between them, without one at the end: who and when,
  /// warnings, title, text, poll, quoted posts, pictures, attachments, tags, address, counts, damage. Lines are as long as their source has them.
  ///
  /// - Complexity: O(n) in the post's bytes.
  public static func plainText(_ post: Post) -> String {
    var blocks: [String] = []
    let who = [post.author?.name, post.author?.handle].compactMap { $0 }.filter { !$0.isEmpty }
    let when = post.published.map { time in
      let civil = CivilTime(seconds: time)
      let date = "\(CivilTime.padded(civil.year, 4))-\(CivilTime.padded(civil.month, 2))"
      let clock = "\(CivilTime.padded(civil.hour, 2)):\(CivilTime.padded(civil.minute, 2))"
      return "\(date)-\(CivilTime.padded(civil.day, 2)) \(clock) UTC"
    }
    let head = [who.joined(separator: " "), when ?? ""].filter { !$0.isEmpty }
    if !head.isEmpty { blocks.append(head.joined(separator: " · ")) }
    if let author = post.repostedBy {
      let name = author.name.isEmpty ? author.handle : author.name
      blocks.insert("\(name) reposted", at: 0)
    }
    let marks = [
      post.filter.map { "filtered: \($0)" }, post.contentWarning,
      post.isSensitive && post.contentWarning == nil ? "sensitive" : nil,
    ].compactMap { $0 }
    if !marks.isEmpty { blocks.append("[\(marks.joined(separator: " · "))]") }
    if !post.title.isEmpty { blocks.append(plain(post.title)) }
    if !post.body.isEmpty { blocks.append(plain(post.body)) }
    if let poll = post.poll { blocks.append(plain(poll)) }
    for quote in post.quotes {
      let lines = plainText(quote).split(separator: "\n", omittingEmptySubsequences: false)
      blocks.append(lines.map { $0.isEmpty ? ">" : "> \($0)" }.joined(separator: "\n"))
    }
    var lines = post.pictures.map { picture in
      let words = picture.alternativeText.isEmpty ? "" : ": \(picture.alternativeText)"
      return "[picture\(words)] \(picture.url)"
    }
    lines += post.attachments.map { file in
      let name = [file.mediaType, file.title].filter { !$0.isEmpty }.joined(separator: ": ")
      return "[\(name.isEmpty ? "file" : name)] \(file.url)"
    }
    if let card = post.card {
      lines.append("[link\(card.title.isEmpty ? "" : ": \(card.title)")] \(card.url)")
    }
    let tags = post.tags.map { $0.hasPrefix("#") ? $0 : "#\($0)" }
    if !tags.isEmpty { lines.append(tags.joined(separator: " ")) }
    if let url = post.url ?? post.externalURL { lines.append(url) }
    if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
    if let counts = post.counts { blocks.append(plain(counts)) }
    if let damage = post.damage { blocks.append("! \(damage)") }
    return blocks.joined(separator: "\n\n")
  }

  private static func plain(_ poll: Post.Poll) -> String {
    let lines = poll.options.map { option in
      let share = poll.share(of: option).map { " \(Int(($0 * 100).rounded()))%" } ?? ""
      return "- \(option.title)\(share)"
    }
    let end = poll.closes.map { ["closes \(CivilTime(seconds: $0).rfc3339)"] } ?? []
    return (lines + end).joined(separator: "\n")
  }

  private static func plain(_ counts: Post.Counts) -> String {
    let parts = [
      (counts.replies, "reply", "replies"), (counts.reposts, "repost", "reposts"),
      (counts.likes, "like", "likes"),
    ]
    return parts.compactMap { count, one, many in count?.counted(one, many) }
      .joined(separator: " · ")
  }

  /// Paragraphs with their markers, indents and `> ` for quotation.
  private static func plain(_ text: StyledText) -> String {
    var result = ""
    for paragraph in text.paragraphs {
      let style = paragraph.style
      if !result.isEmpty { result += style.spacingBefore > 0 ? "\n\n" : "\n" }
      let quote = String(repeating: "> ", count: style.quoteDepth)
      let indent = String(repeating: " ", count: style.indent)
      let marker = String(indent.dropLast(style.marker.count)) + style.marker
      let lines = paragraph.string.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map(Substring.init)
      let written = lines.enumerated().map { index, line in
        quote + (index == 0 && !style.marker.isEmpty ? marker : indent) + line
      }
      result += written.joined(separator: "\n")
    }
    return result
  }

  /// The post as a JSON Feed 1.1 item on one line, which the reader of JSON Lines reads back. What JSON
  /// Feed has no field for stands under `_tideline`: `error` is the damage.
  ///
  /// - Complexity: O(n) in the post's bytes.
  public static func jsonItem(_ post: Post) -> String {
    var item = JSONObject()
    item.add("id", post.id)
    item.add("url", post.url)
    item.add("external_url", post.externalURL)
    item.add("title", post.title.isEmpty ? nil : post.title.plainText)
    if post.body == PlainText.styled(post.body.plainText) {
      item.add("content_text", post.body.plainText)
    } else {
      item.add("content_html", HTMLWriter.html(post.body))
    }
    item.add("date_published", post.published.map { CivilTime(seconds: $0).rfc3339 })
    item.add("date_modified", post.modified.map { CivilTime(seconds: $0).rfc3339 })
    if let author = post.author { item.addRaw("authors", "[\(json(author))]") }
    if !post.tags.isEmpty {
      item.addRaw("tags", "[\(post.tags.map(JSONText.quoted).joined(separator: ","))]")
    }
    item.add("language", post.language)
    let files = post.pictures.map(json) + post.attachments.map(json)
    if !files.isEmpty { item.addRaw("attachments", "[\(files.joined(separator: ","))]") }
    var own = JSONObject()
    own.add("error", post.damage)
    own.add("warning", post.contentWarning)
    own.add("in_reply_to", post.inReplyTo)
    if post.isSensitive { own.addRaw("sensitive", "true") }
    own.add("filter", post.filter)
    if let author = post.repostedBy { own.addRaw("reposted_by", json(author)) }
    if let counts = post.counts { own.addRaw("counts", json(counts)) }
    if let poll = post.poll { own.addRaw("poll", json(poll)) }
    if let card = post.card {
      var object = JSONObject()
      object.add("url", card.url)
      object.add("title", card.title.isEmpty ? nil : card.title)
      own.addRaw("card", object.text)
    }
    if !post.quotes.isEmpty {
      own.addRaw("quotes", "[\(post.quotes.map(jsonItem).joined(separator: ","))]")
    }
    if !own.isEmpty { item.addRaw("_tideline", own.text) }
    return item.text
  }

  private static func json(_ author: Post.Author) -> String {
    var object = JSONObject()
    object.add("name", author.name)
    object.add("url", author.url)
    object.add("avatar", author.avatar)
    if !author.handle.isEmpty {
      var own = JSONObject()
      own.add("handle", author.handle)
      object.addRaw("_tideline", own.text)
    }
    return object.text
  }

  private static func json(_ counts: Post.Counts) -> String {
    var object = JSONObject()
    object.add("replies", counts.replies)
    object.add("reposts", counts.reposts)
    object.add("likes", counts.likes)
    return object.text
  }

  private static func json(_ poll: Post.Poll) -> String {
    var object = JSONObject()
    let options = poll.options.map { option in
      var object = JSONObject()
      object.add("title", option.title)
      object.add("votes", option.votes)
      return object.text
    }
    object.addRaw("options", "[\(options.joined(separator: ","))]")
    object.add("voters", poll.voters)
    object.add("closes", poll.closes.map { CivilTime(seconds: $0).rfc3339 })
    return object.text
  }

  private static func json(_ picture: Post.Picture) -> String {
    var object = JSONObject()
    object.add("url", picture.url)
    let path = picture.url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let types = [".png": "png", ".gif": "gif", ".webp": "webp"]
    let known = types.first { path.hasSuffix($0.key) }?.value
    object.add("mime_type", "image/\(known ?? "jpeg")")
    object.add("title", picture.alternativeText.isEmpty ? nil : picture.alternativeText)
    var own = JSONObject()
    if let width = picture.width { own.addRaw("width", String(width)) }
    if let height = picture.height { own.addRaw("height", String(height)) }
    if !own.isEmpty { object.addRaw("_tideline", own.text) }
    return object.text
  }

  private static func json(_ file: Post.Attachment) -> String {
    var object = JSONObject()
    object.add("url", file.url)
    object.add("mime_type", file.mediaType.isEmpty ? "application/octet-stream" : file.mediaType)
    object.add("title", file.title.isEmpty ? nil : file.title)
    if let count = file.byteCount { object.addRaw("size_in_bytes", String(count)) }
    if let duration = file.duration, duration.isFinite {
      object.addRaw("duration_in_seconds", String(duration))
    }
    return object.text
  }
}

/// An object of JSON being written, members in the order they are added.
private struct JSONObject {
  private var members: [String] = []

  var isEmpty: Bool { members.isEmpty }
  var text: String { "{\(members.joined(separator: ","))}" }

  mutating func add(_ name: String, _ value: String?) {
    if let value { addRaw(name, JSONText.quoted(value)) }
  }

  mutating func add(_ name: String, _ value: Int?) {
    if let value { addRaw(name, String(value)) }
  }

  mutating func addRaw(_ name: String, _ json: String) {
    members.append("\(JSONText.quoted(name)):\(json)")
  }
}

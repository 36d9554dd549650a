import HTTP
import TextLayout

/// Posts as text for a pipe, and as JSON for a program.
public enum PostWriter {
  /// The post as paragraphs with a blank line between them, without one at the end: who and when,
  /// warnings, title, text with its pictures at their places, poll, quoted posts, other pictures,
  /// attachments, tags, address, counts, damage. Lines are as long as their source has them.
  ///
  /// - Complexity: O(n) in the post's bytes.
  public static func plainText(_ post: Post) -> String {
    var blocks: [String] = []
    let who = [post.author?.name, post.author?.handle].compactMap { $0 }.filter { !$0.isEmpty }
    let when = post.published.map { moment($0, hasZone: post.hasZone) }
    let head = [who.joined(separator: " "), when ?? "", post.source ?? ""].filter { !$0.isEmpty }
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
    let body = plain(post.body, post.pictures.filter { $0.place != nil })
    if !body.isEmpty { blocks.append(body) }
    if let poll = post.poll { blocks.append(plain(poll)) }
    for quote in post.quotes {
      let lines = plainText(quote).split(separator: "\n", omittingEmptySubsequences: false)
      blocks.append(lines.map { $0.isEmpty ? ">" : "> \($0)" }.joined(separator: "\n"))
    }
    var lines = post.pictures.filter { $0.place == nil }.map(plain)
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

  /// `"2024-03-09 08:05 UTC"`; without the zone where none is known, and without the time where that
  /// is then midnight, as a date alone is read.
  private static func moment(_ time: Double, hasZone: Bool) -> String {
    let parts = CivilTime(seconds: time).rfc3339.split(separator: "T")
    if hasZone { return "\(parts[0]) \(parts[1].prefix(5)) UTC" }
    return parts[1] == "00:00:00Z" ? String(parts[0]) : "\(parts[0]) \(parts[1].prefix(5))"
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

  private static func plain(_ picture: Post.Picture) -> String {
    let words = picture.alternativeText.isEmpty ? "" : ": \(picture.alternativeText)"
    return "[picture\(words)] \(picture.url)"
  }

  /// Paragraphs with their markers, indents and `> ` for quotation, and pictures in their order at their
  /// places.
  private static func plain(_ text: StyledText, _ pictures: [Post.Picture] = []) -> String {
    var result = ""
    var pictures = pictures[...]
    for (index, paragraph) in text.paragraphs.enumerated() {
      let placed = pictures.prefix { ($0.place ?? 0) <= index }
      write(placed, to: &result)
      pictures = pictures.dropFirst(placed.count)
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
    write(pictures, to: &result)
    return result
  }

  private static func write(_ pictures: ArraySlice<Post.Picture>, to result: inout String) {
    guard !pictures.isEmpty else { return }
    if !result.isEmpty { result += "\n\n" }
    result += pictures.map(plain).joined(separator: "\n")
  }

  /// The post as a JSON Feed 1.1 item on one line, which the reader of JSON Lines reads back. What JSON
  /// Feed has no field for stands under `_tideline`: `error` is the damage.
  ///
  /// - Complexity: O(n) in the post's bytes.
  public static func jsonItem(_ post: Post) -> String {
    let placed = post.pictures.filter { $0.place != nil }
    let attached = post.pictures.filter { $0.place == nil }
    let isPlain = placed.isEmpty && post.body == PlainText.styled(post.body.plainText)
    return object([
      "id": quoted(post.id),
      "url": quoted(post.url),
      "external_url": quoted(post.externalURL),
      "title": post.title.isEmpty ? nil : quoted(post.title.plainText),
      isPlain ? "content_text" : "content_html":
        quoted(isPlain ? post.body.plainText : HTMLWriter.html(post.body, pictures: placed)),
      "date_published": time(post.published, hasZone: post.hasZone),
      "date_modified": time(post.modified, hasZone: post.hasZone),
      "authors": post.author.map { "[\(json($0))]" },
      "tags": list(post.tags.map(JSONText.quoted)),
      "language": quoted(post.language),
      "attachments": list(attached.map(json) + post.attachments.map(json)),
      "_tideline": unlessEmpty(own(post)),
    ])
  }

  /// What JSON Feed has no field for.
  private static func own(_ post: Post) -> String {
    object([
      "error": quoted(post.damage),
      "warning": quoted(post.contentWarning),
      "in_reply_to": quoted(post.inReplyTo),
      "sensitive": post.isSensitive ? "true" : nil,
      "filter": quoted(post.filter),
      "source": quoted(post.source),
      "reposted_by": post.repostedBy.map(json),
      "counts": post.counts.map(json),
      "poll": post.poll.map(json),
      "card": post.card.map { object(["url": quoted($0.url), "title": words($0.title)]) },
      "quotes": list(post.quotes.map(jsonItem)),
    ])
  }

  private static func json(_ author: Post.Author) -> String {
    object([
      "name": quoted(author.name), "url": quoted(author.url), "avatar": quoted(author.avatar),
      "_tideline": unlessEmpty(object(["handle": words(author.handle)])),
    ])
  }

  private static func json(_ counts: Post.Counts) -> String {
    object([
      "replies": number(counts.replies), "reposts": number(counts.reposts),
      "likes": number(counts.likes),
    ])
  }

  private static func json(_ poll: Post.Poll) -> String {
    let options = poll.options.map { option in
      object(["title": quoted(option.title), "votes": number(option.votes)])
    }
    return object([
      "options": list(options) ?? "[]", "voters": number(poll.voters),
      "closes": time(poll.closes),
    ])
  }

  private static func json(_ picture: Post.Picture) -> String {
    let path = picture.url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let types = [".png": "png", ".gif": "gif", ".webp": "webp"]
    let known = types.first { path.hasSuffix($0.key) }?.value
    let size = object(["width": number(picture.width), "height": number(picture.height)])
    return object([
      "url": quoted(picture.url), "mime_type": quoted("image/\(known ?? "jpeg")"),
      "title": words(picture.alternativeText), "_tideline": unlessEmpty(size),
    ])
  }

  private static func json(_ file: Post.Attachment) -> String {
    object([
      "url": quoted(file.url),
      "mime_type": words(file.mediaType) ?? quoted("application/octet-stream"),
      "title": words(file.title), "size_in_bytes": number(file.byteCount),
      "duration_in_seconds": file.duration.flatMap { $0.isFinite ? String($0) : nil },
    ])
  }

  // MARK: JSON

  /// An object of those members that have a value.
  private static func object(_ members: KeyValuePairs<String, String?>) -> String {
    let written = members.compactMap { name, json in
      json.map { "\(JSONText.quoted(name)):\($0)" }
    }
    return "{\(written.joined(separator: ","))}"
  }

  private static func unlessEmpty(_ object: String) -> String? { object == "{}" ? nil : object }

  private static func list(_ elements: [String]) -> String? {
    elements.isEmpty ? nil : "[\(elements.joined(separator: ","))]"
  }

  private static func quoted(_ text: String?) -> String? { text.map(JSONText.quoted) }

  /// As `quoted`, but nothing for an empty text.
  private static func words(_ text: String) -> String? { text.isEmpty ? nil : quoted(text) }

  private static func number(_ number: Int?) -> String? { number.map { String($0) } }

  /// As RFC 3339 has it; without a zone where none is known, which is no time of RFC 3339, but true.
  private static func time(_ seconds: Double?, hasZone: Bool = true) -> String? {
    quoted(
      seconds.map { seconds in
        let time = CivilTime(seconds: seconds).rfc3339
        return hasZone ? time : String(time.dropLast())
      })
  }
}

import HTTP
import TextLayout

/// Writes posts as text for a pipe, and as JSON for a program.
public enum PostWriter {
  /// The post as paragraphs separated by blank lines, without a line break at the end: reposter,
  /// author, time and source, warnings, title, text with the pictures and files placed in it, poll,
  /// quoted posts, other pictures and files, card, tags, address, counts, damage. Only tables are
  /// wrapped.
  ///
  /// - Parameter now: the current time in seconds since 1970, for the time that a poll is still
  ///   open; without it only its end is written.
  /// - Complexity: O(n) in the post's bytes.
  public static func plainText(_ post: Post, now: Double? = nil) -> String {
    var blocks: [String] = []
    let byline = post.byline
    let who = [byline.name, byline.handle].compactMap { $0 }
    let when = post.published.map { moment($0, hasZone: post.hasZone) }
    let head = [who.joined(separator: " "), when ?? "", byline.source ?? ""].filter { !$0.isEmpty }
    if !head.isEmpty { blocks.append(head.joined(separator: " · ")) }
    if let author = post.repostedBy {
      blocks.insert("\(author.shownName) reposted", at: 0)
    }
    let marks = [
      post.filter.map { "filtered: \($0)" }, post.contentWarning,
      post.isSensitive && post.contentWarning == nil ? "sensitive" : nil,
    ].compactMap { $0 }
    if !marks.isEmpty { blocks.append("[\(marks.joined(separator: " · "))]") }
    if !post.title.isEmpty { blocks.append(plain(post.title)) }
    let body = plain(post.body, placed(post))
    if !body.isEmpty { blocks.append(body) }
    if let poll = post.poll { blocks.append(plain(poll, now: now)) }
    for quote in post.quotes {
      let lines = plainText(quote, now: now).split(
        separator: "\n", omittingEmptySubsequences: false)
      blocks.append(lines.map { $0.isEmpty ? ">" : "> \($0)" }.joined(separator: "\n"))
    }
    var lines = post.pictures.filter { $0.place == nil }.map(plain)
    lines += post.attachments.filter { $0.place == nil }.map(plain)
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

  /// `"2024-03-09 08:05 UTC"`. An unknown zone is left out, and then midnight as well, because it
  /// is how a date without a time is read.
  private static func moment(_ time: Double, hasZone: Bool) -> String {
    let text = CivilTime(seconds: time).rfc3339
    guard let separator = text.utf8.firstIndex(of: UInt8(ascii: "T")) else { return text }
    let day = text[..<separator]
    let clock = text[separator...].dropFirst()
    if !hasZone, clock == "00:00:00Z" { return String(day) }
    let minute = clock[..<clock.utf8.index(clock.startIndex, offsetBy: 5)]
    return hasZone ? "\(day) \(minute) UTC" : "\(day) \(minute)"
  }

  private static func plain(_ poll: Post.Poll, now: Double?) -> String {
    let lines = poll.options.map { option in
      let share = poll.share(of: option).map { " \(Int(($0 * 100).rounded()))%" } ?? ""
      return "- \(option.title)\(share)"
    }
    let end = poll.closes.map { closing($0, now: now) }
    return (lines + [end].compactMap { $0 }).joined(separator: "\n")
  }

  /// `"closes in 3 days, 2024-03-09 08:05 UTC"`, or `"closed"` with the time if it has passed.
  private static func closing(_ time: Double, now: Double?) -> String {
    let when = moment(time, hasZone: true)
    guard let now, now.isFinite else { return "closes \(when)" }
    guard time > now else { return "closed \(when)" }
    let left = time - now
    let units = [(86_400.0, "day"), (3_600, "hour"), (60, "minute")]
    guard let (seconds, unit) = units.first(where: { left >= $0.0 }),
      let count = Int(exactly: (left / seconds).rounded(.down))
    else { return "closes in a moment, \(when)" }
    return "closes in \(count.counted(unit)), \(when)"
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
    return "[picture\(words)] \(picture.displayURL)"
  }

  private static func plain(_ file: Post.Attachment) -> String {
    let name = [file.mediaType, file.title].filter { !$0.isEmpty }.joined(separator: ": ")
    return "[\(name.isEmpty ? "file" : name)] \(file.url)"
  }

  /// A separate line, and the paragraph before which it stands.
  private typealias Placed = (place: Int, line: String)

  /// The lines of pictures and files with a place in the text, in order.
  private static func placed(_ post: Post) -> [Placed] {
    let pictures = post.pictures.compactMap { picture in
      picture.place.map { Placed($0, plain(picture)) }
    }
    let files = post.attachments.compactMap { file in file.place.map { Placed($0, plain(file)) } }
    guard !pictures.isEmpty, !files.isEmpty else { return pictures + files }
    return (pictures + files).enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
  }

  /// The width of a printed table, in columns: cells that do not fit wrap, or are stacked.
  private static let tableWidth = 96

  /// The paragraphs with markers, indents and `> ` for quotes, and `placed` lines between them.
  private static func plain(_ text: StyledText, _ placed: [Placed] = []) -> String {
    var result = ""
    var placed = placed[...]
    let tables =
      text.paragraphs.contains { $0.style.table != nil }
      ? TextFrame(text, width: tableWidth, metrics: TextMetrics()) : nil
    for (index, paragraph) in text.paragraphs.enumerated() {
      let before = placed.prefix { $0.place <= index }
      write(before, to: &result)
      placed = placed.dropFirst(before.count)
      let style = paragraph.style
      if let tables, style.table != nil {
        write(index, of: tables, to: &result)
        continue
      }
      if !result.isEmpty { result += style.spacingBefore > 0 ? "\n\n" : "\n" }
      if style.quoteDepth == 0, style.indent == 0, style.marker.isEmpty {
        result += paragraph.string
        continue
      }
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
    write(placed, to: &result)
    return result
  }

  private static func write(_ placed: ArraySlice<Placed>, to result: inout String) {
    guard !placed.isEmpty else { return }
    if !result.isEmpty { result += "\n\n" }
    result += placed.map(\.line).joined(separator: "\n")
  }

  /// Writes the lines of one row of a table.
  private static func write(_ paragraph: Int, of frame: TextFrame, to result: inout String) {
    for line in frame.lines(ofParagraph: paragraph) {
      if !result.isEmpty { result += "\n" }
      let shown = frame.lines[line]
      guard !shown.isSpacing else { continue }
      let quote = String(repeating: "> ", count: shown.quoteDepth)
      let indent = String(repeating: " ", count: max(0, shown.indent - 2 * shown.quoteDepth))
      result += quote + indent + frame.fragments(ofLine: line).map(\.text).joined()
    }
  }

  /// The post as a JSON Feed 1.1 item on one line, which the reader of JSON Lines reads back.
  /// Fields that JSON Feed does not define are members of `_tideline`: `error` is the damage.
  ///
  /// A post that was read as ``ContentForm/source`` keeps the source's own HTML or text, with
  /// absolute addresses.
  ///
  /// - Complexity: O(n) in the post's bytes.
  public static func jsonItem(_ post: Post) -> String {
    var output = JSONWriter()
    _ = JSONItemWriter.write(post, to: &output)
    return output.text
  }

  /// Appends ``jsonItem(_:)`` and a line break to `bytes`.
  ///
  /// - Returns: the range in `bytes` of the item's id.
  package static func appendJSONItem(_ post: Post, to bytes: inout [UInt8]) -> Range<Int> {
    var output = JSONWriter(appendingTo: bytes)
    bytes = []
    let id = JSONItemWriter.write(post, to: &output)
    output.lineBreak()
    bytes = output.bytes
    return id
  }
}

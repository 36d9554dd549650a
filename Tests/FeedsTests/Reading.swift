import FoundationEssentials
import TestSupport
import TextLayout

@testable import Feeds

/// Reads a document of these characters.
func read(
  _ text: String, format: FeedFormat? = nil, baseURL: String? = nil
) throws(FeedError) -> FeedDocument {
  try FeedReader.read(Array(text.utf8), format: format, baseURL: baseURL)
}

/// An RSS document around these items.
func rss(_ items: String, head: String = "<title>Tides</title>") -> String {
  "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel>\(head)\n\(items)\n</channel></rss>"
}

/// The error of detecting or reading these bytes; `nil` if they are readable.
func failure(_ bytes: [UInt8], format: FeedFormat? = nil) -> FeedError.Kind? {
  do throws(FeedError) {
    _ = try FeedReader.read(bytes, format: format)
    return nil
  } catch {
    return error.kind
  }
}

func failure(_ text: String, format: FeedFormat? = nil) -> FeedError.Kind? {
  failure(Array(text.utf8), format: format)
}

/// Every string of the post that may be shown.
func strings(of post: Post) -> [String] {
  var all = post.lines + [post.title.plainText, post.body.plainText]
  all += post.body.links + post.tags
  for account in [post.author, post.repostedBy].compactMap(\.self) {
    all += [account.name, account.handle, account.url, account.avatar].compactMap(\.self)
  }
  all += post.poll?.options.map(\.title) ?? []
  all += [post.card?.url, post.card?.title].compactMap { $0 }
  all += post.quotes.flatMap(strings)
  all += post.pictures.flatMap { [$0.url, $0.alternativeText] }
  all += post.attachments.flatMap { [$0.url, $0.mediaType, $0.title] }
  all += post.body.paragraphs.map(\.style.marker)
  return all
}

/// Whether a terminal could obey the string instead of showing it.
func isUnsafe(_ string: String) -> Bool {
  string.unicodeScalars.contains {
    ($0.value < 32 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
      || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
  }
}

/// The styles of a text, with the characters that have them.
func runs(_ text: StyledText) -> [(String, TextStyle)] {
  text.paragraphs.flatMap { paragraph in
    let bytes = Array(paragraph.string.utf8)
    return paragraph.runs.map { (String(decoding: bytes[$0.range], as: UTF8.self), $0.style) }
  }
}

extension String {
  /// The part before the first `mark`; all of it if there is none.
  func firstPart(before mark: String) -> String {
    ranges(of: mark).first.map { String(self[..<$0.lowerBound]) } ?? self
  }
}

/// The posts of a source that arrives in pieces and is read row by row.
func readRows(_ pieces: [[UInt8]], _ format: FeedFormat = .jsonl) -> [Post] {
  var batcher = RowBatcher(format: format)
  let posts = pieces.flatMap { batcher.consume($0).posts() }
  return posts + ((try? batcher.finish())?.posts() ?? [])
}

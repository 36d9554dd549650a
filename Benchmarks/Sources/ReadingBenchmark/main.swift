// What short ways of reading save: posts that take one beside the same posts that just miss it.
//
// Prints, for each short way, the shortest of nine rounds in turns: nanoseconds a post (a text, for
// the sanitizer) with it and without, and how much it saves of them.

import Feeds
import TextLayout

/// A short way, and the same work that does not take it.
struct ShortWay {
  var name: String
  var with: () throws -> Int
  var without: () throws -> Int
}

let posts = 2_000
let words = "The gauge at the harbour mouth read two metres at noon."

/// `posts` items of RSS, each with `lines`; `head` stands in the first one as well.
func rss(_ lines: String, head: String = "", namespaces: String = "") -> [UInt8] {
  var text = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"\(namespaces)><channel>\n"
  for index in 0..<posts {
    let own = index == 0 ? head : ""
    text += "<item><guid>\(index)</guid><title>\(words)</title>\(lines)\(own)</item>\n"
  }
  return Array((text + "<title>Tides</title></channel></rss>\n").utf8)
}

/// `posts` lines of JSON, each with `fields`.
func lines(_ fields: String) -> [UInt8] {
  let text = (0..<posts).map { "{\"id\":\($0),\"text\":\"\(words)\",\(fields)}\n" }.joined()
  return Array(text.utf8)
}

/// Reads a feed whole.
func reading(_ bytes: [UInt8], _ format: FeedFormat) -> () throws -> Int {
  {
    try FeedReader.read(bytes, format: format, baseURL: "https://tide.example/feed").posts.count
  }
}

func dated(_ date: String) -> [UInt8] { rss("<pubDate>\(date)</pubDate>") }

/// Items whose HTML links to `path` four times.
func linking(to path: String) -> [UInt8] {
  let links = String(repeating: "<a href=\"\(path)\">the gauge</a> ", count: 4)
  return rss("<description><![CDATA[<p>\(links)</p>]]></description>")
}

/// Items with an author of a vocabulary of its own, behind `others` further ones.
func named(behind others: Int) -> [UInt8] {
  let spaces = (0..<others).map { " xmlns:p\($0)=\"https://tide.example/\($0)\"" }.joined()
  let head = (0..<others).map { "<p\($0):x>1</p\($0):x>" }.joined()
  let own = "<dc:creator>Ada</dc:creator><dc:date>2026-11-21T08:05:00Z</dc:date>"
  return rss(
    own, head: head, namespaces: " xmlns:dc=\"http://purl.org/dc/elements/1.1/\"" + spaces)
}

/// A text of a kilobyte that is sanitized again and again.
func sanitizing(_ text: String) -> () throws -> Int {
  {
    var count = 0
    for _ in 0..<posts { count += Sanitizer.text(text).utf8.count }
    return count
  }
}

let prose = String(repeating: words + " ", count: 18)
let broken = String(prose.enumerated().map { $0.offset % 8 == 7 ? "\n" : $0.element })

let ways = [
  ShortWay(
    name: "a date of mail, as most feeds write it",
    with: reading(dated("Sat, 21 Nov 2026 08:05:00 GMT"), .rss),
    without: reading(dated("Sat, 21 Nov 2026 08:05:00 UTC"), .rss)),
  ShortWay(
    name: "a date of ISO 8601 in UTC",
    with: reading(lines("\"date_published\":\"2026-11-21T08:05:00Z\""), .jsonl),
    without: reading(lines("\"date_published\":\"2026-11-21T08:05:00z\""), .jsonl)),
  ShortWay(
    name: "a path as the link of an item",
    with: reading(rss("<link>/harbour/gauge</link>"), .rss),
    without: reading(rss("<link>/harbour/gaug~</link>"), .rss)),
  ShortWay(
    name: "four paths in HTML",
    with: reading(linking(to: "/harbour/gauge"), .rss),
    without: reading(linking(to: "/harbour/gaug~"), .rss)),
  ShortWay(
    name: "the vocabulary of two elements",
    with: reading(named(behind: 4), .rss), without: reading(named(behind: 16), .rss)),
  ShortWay(
    name: "a kilobyte of printable ASCII",
    with: sanitizing(prose), without: sanitizing(broken)),
]

let clock = ContinuousClock()

/// Nanoseconds that `work` takes for one post.
func time(_ work: () throws -> Int) throws -> Double {
  var done = 0
  let time = try clock.measure { done = try work() }
  // Keeps the work from being optimised away.
  if done == 0 { print("nothing was read") }
  return time / .nanoseconds(1) / Double(posts)
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

print("short way".padded(to: 42) + "ns with   without   saved")
for way in ways {
  var (with, without) = (Double.infinity, Double.infinity)
  for _ in 0..<9 {
    with = min(with, try time(way.with))
    without = min(without, try time(way.without))
  }
  let columns = [with, without].map { String(Int($0.rounded())).padded(to: 10) }
  let saved = Int(((1 - with / without) * 100).rounded())
  print(way.name.padded(to: 42) + columns.joined() + "\(saved) %")
}

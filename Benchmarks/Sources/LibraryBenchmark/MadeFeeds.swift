import Glibc

/// Feeds of items of about 1.2 kB, the same on every machine but for their dates: the newest items of
/// all feeds lie side by side, some seconds before `end`.
struct MadeFeeds: Sendable {
  let count: Int
  let itemsOfFeed: Int
  /// Seconds since 1970.
  private let end: Int

  /// The beginning of every title.
  static let mark = "Gauge reading"

  init(count: Int, itemsOfFeed: Int, end: Int) {
    (self.count, self.itemsOfFeed, self.end) = (count, itemsOfFeed, end)
  }

  var itemCount: Int { count * itemsOfFeed }

  /// A feed's document (RSS), newest first.
  func document(_ feed: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(itemsOfFeed * 1_400)
    text +=
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Feed \(feed)</title>\n".utf8
    // All lie within 150 days: none is older than items that arrive read.
    let step = min(3_600.0, 150 * 86_400 / Double(itemCount))
    for item in 0..<itemsOfFeed {
      let number = item * count + feed
      let address = "https://tideline.example/\(feed)/\(item)"
      let date = Self.date(end - Int(Double(number) * step))
      text +=
        "<item><title>\(Self.mark) \(feed).\(item)</title><link>\(address)</link>".utf8
      text += "<guid>\(address)</guid><pubDate>\(date)</pubDate><description>".utf8
      text += Self.paragraphs[number % Self.paragraphs.count]
      text += "</description></item>\n".utf8
    }
    text += "</channel></rss>\n".utf8
    return text
  }

  /// As RFC 822 has it.
  private static func date(_ seconds: Int) -> String {
    var (time, civil) = (time_t(seconds), tm())
    gmtime_r(&time, &civil)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%d %b %Y %H:%M:%S GMT", &civil)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let words = [
    "harbour", "gauge", "the", "water", "of", "spring", "tide", "and", "mooring", "rose", "by",
    "four", "metres", "at", "dusk", "with", "wind", "from", "south-west", "naïve", "Küste", "潮",
  ]

  /// Texts of about 1.1 kB.
  private static let paragraphs: [[UInt8]] = (0..<61).map { number in
    var state = UInt64(number) &* 6_364_136_223_846_793_005 &+ 1
    let sentence = (0..<180).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return words[Int(state >> 33) % words.count]
    }
    return Array("&lt;p&gt;\(sentence.joined(separator: " "))&lt;/p&gt;".utf8)
  }
}

import Library
import System

/// Fills a library with many items and prints how long operations take, in milliseconds.
enum Measurement {
  static func run(path: String, count: Int) throws {
    var library = try FeedLibrary(path: path)
    let line = Array(repeating: UInt8(ascii: "x"), count: 1_200)
    let feeds = try (0..<500).map { try library.follow("http://x/\($0)", at: 1).id }
    try measure("insert") {
      var index = 0
      while index < count {
        let items = (index..<min(index + 50, count)).map { item($0, line) }
        _ = try library.recordFetch(
          FetchRecord(.document(title: "T", items: items), nextTime: 0),
          of: feeds[index / 50 % feeds.count], at: 1_600_000_001)
        index += items.count
      }
    }
    var ranges = ItemRanges()
    ranges.append(1...Int64(count))
    var scattered = ItemRanges()
    for key in stride(from: Int64(1), through: Int64(count), by: 2) { scattered.append(key...key) }
    try measure("open, 100 places and bodies") {
      library = try FeedLibrary(path: path)
      for place in try library.newestPlaces(100) { _ = try library.entry(of: place.item) }
    }
    try measure("open, 100 places and bodies again") {
      library = try FeedLibrary(path: path)
      for place in try library.newestPlaces(100) { _ = try library.entry(of: place.item) }
    }
    try measure("feeds with unread counts") { _ = try library.feeds() }
    try measure("feeds with unread counts again") { _ = try library.feeds() }
    try measure("all places in chunks of 10,000") {
      var last: ItemPlace?
      repeat {
        let chunk = try library.places(after: last, count: 10_000)
        last = chunk.count == 10_000 ? chunk.last : nil
      } while last != nil
    }
    try measure("unread items") { _ = try library.unreadItems() }
    try measure("100 of one feed") { _ = try library.newestPlaces(100, in: .feed(feeds[250])) }
    try measure("mark one") { _ = try library.mark(ItemRanges([ItemID(7)]), as: .read, at: 2) }
    try measure("mark one more") { _ = try library.mark(ItemRanges([ItemID(9)]), as: .read, at: 2) }
    try measure("mark all (A)") { _ = try library.mark(ranges, as: .read, at: 2) }
    try measure("take back (U)") { _ = try library.undoMarking(at: 2) }
    try measure("mark every second") { _ = try library.mark(scattered, as: .read, at: 2) }
    try measure("take back") { _ = try library.undoMarking(at: 2) }
    try measure("all bodies") { try library.forEachBody { _, _ in true } }
  }

  private static func item(_ number: Int, _ line: [UInt8]) -> NewItem {
    let seconds = number * 60 + (number &* 7_919) % 86_400
    return NewItem(
      guid: "https://example.org/posts/\(number)", link: "https://example.org/p/\(number)",
      title: "A title of about forty characters, \(number)",
      published: 1_500_000_000 + Double(seconds), body: .line(line), hash: UInt64(number))
  }

  private static func measure(_ name: String, _ body: () throws -> Void) throws {
    let (start, processor) = (SystemClock.monotonic, SystemClock.processorTime)
    try body()
    let time = Double(SystemClock.monotonic - start) / 1_000
    let used = Double(SystemClock.processorTime - processor) / 1_000
    try Output.write("\(name): \(time) ms, \(used) of a processor\n".utf8, to: 1)
  }
}

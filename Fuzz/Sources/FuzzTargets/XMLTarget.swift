import Feeds

extension FuzzTarget {
  /// RSS and Atom. The first byte says which, or that the reader is to find out.
  static let xml = FuzzTarget(
    "xml", modules: ["Feeds", "TextLayout"], longestInput: 4_096, briefRuns: 8000,
    seeds: FeedSeeds.xml.flatMap { text in (0..<3).map { [$0] + Array(text.utf8) } }
  ) { bytes in
    var input = InputBytes(bytes)
    let format = input.element(of: [nil, FeedFormat.rss, .atom])
    let document: FeedDocument
    do throws(FeedError) {
      document = try FeedReader.read(
        Array(input.rest), format: format, baseURL: "https://tideline.example/a/feed")
    } catch {
      try require(!error.message.isEmpty, "an error without words")
      try Unsafe.check(error.message, "an error", allowsLineBreaks: false)
      return
    }
    try PostChecks.check(document.posts, idsDiffer: true)
    try PostChecks.check(document.info)
  }
}

import TextLayout

/// Writes a list of feeds as OPML 2.0, which ``FeedList`` reads back.
package enum FeedListWriter {
  /// The list. A feed stands in the folder of its first tag; if it has several, it names all of
  /// them as categories.
  ///
  /// - Complexity: O(n log n) in the feeds.
  package static func opml(_ entries: [FeedList.Entry], title: String) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head><title>\(escaped(title))</title></head>
        <body>

      """
    var folders: [String: [FeedList.Entry]] = [:]
    for entry in entries { folders[entry.tags.first ?? "", default: []].append(entry) }
    for entry in folders[""] ?? [] { text += "    \(outline(of: entry))\n" }
    for folder in folders.keys.sorted() where !folder.isEmpty {
      text += "    <outline text=\"\(escaped(folder))\">\n"
      for entry in folders[folder] ?? [] { text += "      \(outline(of: entry))\n" }
      text += "    </outline>\n"
    }
    return text + "  </body>\n</opml>\n"
  }

  private static func outline(of entry: FeedList.Entry) -> String {
    let title = entry.title.isEmpty ? entry.address : entry.title
    var text = "<outline type=\"rss\" text=\"\(escaped(entry.ownName ?? title))\""
    if entry.ownName != nil || !entry.title.isEmpty { text += " title=\"\(escaped(title))\"" }
    text += " xmlUrl=\"\(escaped(entry.address))\""
    if entry.tags.count > 1 {
      text += " category=\"\(escaped(entry.tags.joined(separator: ",")))\""
    }
    return text + "/>"
  }

  private static func escaped(_ text: String) -> String {
    HTMLWriter.escaped(Sanitizer.line(text))
  }
}

/// The text of an item.
package enum ItemBody: Hashable, Sendable {
  /// The line that `--json` prints, without its line feed.
  case line([UInt8])
  /// A place in a file, which is read when the item is shown. Only temporary libraries have such
  /// items.
  case extent(FileExtent)

  /// Bytes of a source of the caller.
  package struct FileExtent: Hashable, Sendable {
    package var source: Int32
    package var offset: Int64
    package var count: Int32

    package init(source: Int32, offset: Int64, count: Int32) {
      self.source = source
      self.offset = offset
      self.count = count
    }
  }
}

/// An item of a document that was fetched.
package struct NewItem: Hashable, Sendable {
  /// The identifier that the feed gives it; `nil` or empty if it gives none.
  package var guid: String?
  package var link: String?
  package var title: String
  /// Seconds since 1970.
  package var published: Double?
  package var body: ItemBody
  /// Stands for the content: an item is changed if its hash is. By default that of `body`.
  package var hash: UInt64

  /// - Complexity: O(n) in the bytes of `body` without `hash`.
  package init(
    guid: String?, link: String?, title: String, published: Double?, body: ItemBody,
    hash: UInt64? = nil
  ) {
    self.guid = guid
    self.link = link
    self.title = title
    self.published = published
    self.body = body
    self.hash = hash ?? 0
  }
}

import System

/// The text of an item.
package enum ItemBody: Hashable, Sendable {
  /// The line that `--json` prints, without its line feed, in UTF-8.
  case line([UInt8])
  /// A place in a file of the caller's, which is read when the item is shown.
  case extent(FileExtent)

  /// Bytes of one of the caller's sources.
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

/// An item as it is shown.
package struct LibraryEntry: Hashable, Sendable {
  package let feed: FeedID
  package let body: ItemBody
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
  /// The hash of the content: an item has changed if its hash has.
  package var hash: UInt64

  /// - Parameter hash: by default that of `body`.
  /// - Complexity: O(n) in the bytes of `body` if there is no `hash`.
  package init(
    guid: String?, link: String?, title: String, published: Double?, body: ItemBody,
    hash: UInt64? = nil
  ) {
    self.guid = guid
    self.link = link
    self.title = title
    self.published = published
    self.body = body
    self.hash = hash ?? body.hash
  }
}

extension ItemBody {
  /// A hash that is the same in every run.
  fileprivate var hash: UInt64 {
    var hash = StableHash()
    for byte in coded.bytes { hash.combine(byte) }
    return hash.low
  }

  /// The bytes that are stored, and whether they are a line.
  private var coded: (isLine: Bool, bytes: [UInt8]) {
    switch self {
    case .line(let line): (true, line)
    case .extent(let extent):
      (
        false,
        Self.bytes(Int64(extent.source)) + Self.bytes(extent.offset)
          + Self.bytes(Int64(extent.count))
      )
    }
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The value of the column: a line is stored as text, so that any SQLite tool can show it.
  var column: SQLiteValue {
    let coded = coded
    return coded.isLine ? .text(String(decoding: coded.bytes, as: UTF8.self)) : .bytes(coded.bytes)
  }

  init(_ row: SQLiteStatement, column: Int32) {
    let bytes = row.bytes(column)
    guard !row.isText(column), bytes.count == 24 else {
      self = .line(bytes)
      return
    }
    let numbers = bytes.withUnsafeBytes { bytes in
      (0..<3).map {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
      }
    }
    self = .extent(
      FileExtent(
        source: Int32(clamping: numbers[0]), offset: numbers[1],
        count: Int32(clamping: numbers[2])))
  }
}

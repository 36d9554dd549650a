/// Finds the files of a zip file by the directory at its end.
enum ZipFile {
  /// The maximum size of the directory in bytes, and its maximum number of entries.
  static let longestDirectory = 64 << 20
  static let entries = 1_000_000

  /// A file, and the position of its local header.
  struct Entry {
    var path: [UInt8]
    fileprivate var header: Int
    /// The compressed size; `size` is the original one. Both as the entry states them.
    fileprivate(set) var packed: Int
    fileprivate(set) var size: Int
    fileprivate var isDeflated: Bool

    /// The entry to store under its path, which would be stored twice otherwise.
    var withoutPath: Entry {
      var entry = self
      entry.path = []
      return entry
    }
  }

  /// The position of a file's bytes.
  struct Place: Equatable {
    var range: Range<Int>
    var isDeflated: Bool
  }

  static func begins(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// The position of a Mastodon archive's posts; `nil` if there are none, or the zip file cannot be
  /// read.
  static func posts(in file: FileBytes) -> (path: String, place: Place)? {
    var found: (String, Place)?
    forEachEntry(of: file) { entry in
      guard let path = ArchivePath.posts(entry.path) else { return true }
      found = place(of: entry, in: file).map { (path, $0) }
      return false
    }
    return found
  }

  /// The position of the directory; `nil` if none is found.
  private static func directory(of file: FileBytes) -> (start: Int, length: Int)? {
    guard let size = file.size,
      let end = try? file.read(max(0, size - 65_557)..<size),
      let mark = end.indices.reversed().first(where: {
        end[$0...].starts(with: [0x50, 0x4B, 5, 6]) && end.count - $0 >= 22
      })
    else { return nil }
    let (length, start) = (end.number(mark + 12, 4), end.number(mark + 16, 4))
    guard length == zip64Marker || start == zip64Marker || end.number(mark + 10, 2) == 0xFFFF else {
      return (start, length)
    }
    // Of a larger file (Zip64) they are in a separate record, whose position precedes this one.
    let pointer = mark - 20
    guard pointer >= 0, end[pointer...].starts(with: [0x50, 0x4B, 6, 7]),
      case let place = end.number(pointer + 8, 8), place >= 0, place <= size - 56,
      let record = try? file.read(place..<place + 56),
      record.starts(with: [0x50, 0x4B, 6, 6])
    else { return nil }
    return (record.number(48, 8), record.number(40, 8))
  }

  /// Marks a number that does not fit its four bytes.
  private static let zip64Marker = 0xFFFF_FFFF

  /// Calls `body` with each file that can be unpacked, until it returns false.
  static func forEachEntry(of file: FileBytes, _ body: (Entry) -> Bool) {
    guard let (start, length) = directory(of: file), let size = file.size,
      (0...min(longestDirectory, size)).contains(length), (0...size - length).contains(start),
      let directory = try? file.read(start..<start + length), directory.count == length
    else { return }
    var position = 0
    var count = 0
    while directory.count - position >= 46, count < entries,
      directory[position...].starts(with: [0x50, 0x4B, 1, 2])
    {
      let name = position + 46
      let nameEnd = name + directory.number(position + 28, 2)
      guard nameEnd <= directory.count else { return }
      var entry = Entry(
        path: Array(directory[name..<nameEnd]), header: directory.number(position + 42, 4),
        packed: directory.number(position + 20, 4), size: directory.number(position + 24, 4),
        isDeflated: directory.number(position + 10, 2) == 8)
      let extraEnd = nameEnd + directory.number(position + 30, 2)
      let hasNumbers =
        extraEnd <= directory.count
        && takeLargeNumbers(of: directory[nameEnd..<extraEnd], into: &entry)
      let isPlain = directory.number(position + 8, 2) & 1 == 0
      let method = directory.number(position + 10, 2)
      // The Unix file type: a symbolic link is skipped.
      let kind = directory[position + 5] == 3 ? directory.number(position + 40, 2) >> 12 : 0
      let isReadable = hasNumbers && isPlain && (method == 0 || method == 8)
      if isReadable, kind == 0 || kind == 8, !body(entry) { return }
      count += 1
      position = extraEnd + directory.number(position + 32, 2)
    }
  }

  /// Reads the numbers that do not fit an entry's own fields from its extra fields. Each of these
  /// has a type and a length; type 1 (Zip64) has the numbers in this order.
  ///
  /// - Returns: false if one is missing.
  private static func takeLargeNumbers(
    of extra: ArraySlice<UInt8>, into entry: inout Entry
  ) -> Bool {
    guard entry.size == zip64Marker || entry.packed == zip64Marker || entry.header == zip64Marker
    else {
      return true
    }
    let fields = Array(extra)
    var position = 0
    while position + 4 <= fields.count {
      let end = position + 4 + fields.number(position + 2, 2)
      guard fields.number(position, 2) == 1, end <= fields.count else {
        position = end
        continue
      }
      var next = position + 4
      for number in [\Entry.size, \.packed, \.header] where entry[keyPath: number] == zip64Marker {
        guard next + 8 <= end else { return false }
        entry[keyPath: number] = fields.number(next, 8)
        next += 8
      }
      return entry.size >= 0 && entry.packed >= 0 && entry.header >= 0
    }
    return false
  }

  /// The position of an entry's bytes; `nil` if the file is truncated, or its header is missing.
  static func place(of entry: Entry, in file: FileBytes) -> Place? {
    place(atHeader: entry.header, packed: entry.packed, isDeflated: entry.isDeflated, in: file)
  }

  private static func place(
    atHeader offset: Int, packed: Int, isDeflated: Bool, in file: FileBytes
  ) -> Place? {
    guard let size = file.size, (0...max(0, size - 30)).contains(offset),
      let header = try? file.read(offset..<offset + 30), header.count == 30, begins(header)
    else { return nil }
    let start = offset + 30 + header.number(26, 2) + header.number(28, 2)
    guard packed <= size - start else { return nil }
    return Place(range: start..<start + packed, isDeflated: isDeflated)
  }
}

extension [UInt8] {
  /// The number in the `bytes` bytes at `place`, little-endian; 0 if they are missing.
  fileprivate func number(_ place: Int, _ bytes: Int) -> Int {
    guard place + bytes <= count else { return 0 }
    return (0..<bytes).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}

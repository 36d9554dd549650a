/// The files in a zip file, by the directory at its end.
enum ZipFile {
  /// Bytes of the directory that are read, and entries of it.
  static let longestDirectory = 64 << 20
  static let entries = 1_000_000

  /// A file, and where the bytes before its own begin.
  struct Entry {
    var path: [UInt8]
    fileprivate var header: Int
    /// Packed, and unpacked as it says.
    fileprivate(set) var packed: Int
    fileprivate(set) var size: Int
    fileprivate var isDeflated: Bool

    /// To be kept under its path.
    var withoutPath: Entry {
      var entry = self
      entry.path = []
      return entry
    }
  }

  /// Where the bytes of a file stand.
  struct Place: Equatable {
    var range: Range<Int>
    var isDeflated: Bool
  }

  static func begins(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// Where the posts of Mastodon's stand; nil where there are none, or it is no zip file that can
  /// be read.
  static func posts(in file: FileBytes) -> (path: String, place: Place)? {
    var found: (String, Place)?
    forEachEntry(of: file) { entry in
      guard let path = ArchivePath.posts(entry.path) else { return true }
      found = place(of: entry, in: file).map { (path, $0) }
      return false
    }
    return found
  }

  /// Calls `body` with each file that can be unpacked, until it returns false.
  static func forEachEntry(of file: FileBytes, _ body: (Entry) -> Bool) {
    guard let size = file.size,
      let end = try? file.read(max(0, size - 65_557)..<size),
      let mark = end.indices.reversed().first(where: {
        end[$0...].starts(with: [0x50, 0x4B, 5, 6]) && end.count - $0 >= 22
      })
    else { return }
    let (length, start) = (end.number(mark + 12, 4), end.number(mark + 16, 4))
    guard length <= longestDirectory, start + length <= size,
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
      let entry = Entry(
        path: Array(directory[name..<nameEnd]), header: directory.number(position + 42, 4),
        packed: directory.number(position + 20, 4), size: directory.number(position + 24, 4),
        isDeflated: directory.number(position + 10, 2) == 8)
      let isPlain = directory.number(position + 8, 2) & 1 == 0
      let method = directory.number(position + 10, 2)
      // The kind of a file of Unix; a link is one of them.
      let kind = directory[position + 5] == 3 ? directory.number(position + 40, 2) >> 12 : 0
      if isPlain, method == 0 || method == 8, kind == 0 || kind == 8, !body(entry) { return }
      count += 1
      position =
        nameEnd + directory.number(position + 30, 2) + directory.number(position + 32, 2)
    }
  }

  /// Where the bytes of an entry stand; nil where the file ends before, or something else is there.
  static func place(of entry: Entry, in file: FileBytes) -> Place? {
    place(atHeader: entry.header, packed: entry.packed, isDeflated: entry.isDeflated, in: file)
  }

  private static func place(
    atHeader offset: Int, packed: Int, isDeflated: Bool, in file: FileBytes
  ) -> Place? {
    guard let size = file.size, offset + 30 <= size,
      let header = try? file.read(offset..<offset + 30), header.count == 30, begins(header)
    else { return nil }
    let start = offset + 30 + header.number(26, 2) + header.number(28, 2)
    guard start + packed <= size else { return nil }
    return Place(range: start..<start + packed, isDeflated: isDeflated)
  }
}

extension [UInt8] {
  /// A number of so many bytes, the lowest first; 0 where they are not there.
  fileprivate func number(_ place: Int, _ bytes: Int) -> Int {
    guard place + bytes <= count else { return 0 }
    return (0..<bytes).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}

import System

/// The file of an archive of Mastodon's that has the posts.
enum ArchiveName {
  /// Whether a path in an archive leads to it.
  static func isPosts(_ path: some Sequence<UInt8>) -> Bool {
    let parts = Array(path).split(separator: UInt8(ascii: "/"))
    return parts.count <= 4 && parts.last?.elementsEqual("outbox.json".utf8) == true
  }
}

/// Finds the posts in an archive of tar (POSIX.1), as its bytes come.
struct TarReader {
  private enum State {
    case header
    /// Bytes of an entry that are to come, and of the blanks behind it.
    case entry(left: Int, blanks: Int, isPosts: Bool)
    case done
  }

  private static let block = 512
  /// Entries that are passed, and their bytes.
  static let entries = 1_000_000
  static let longest = 64 << 30

  private var state = State.header
  private var header: [UInt8] = []
  private var entryCount = 0
  private var byteCount = 0

  /// Whether bytes begin as an archive does.
  static func begins(_ head: [UInt8]) -> Bool {
    head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
  }

  /// Hands the bytes of the posts on.
  ///
  /// - Returns: false where there is no more to come of them.
  mutating func read(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var position = 0
    while position < bytes.count {
      switch state {
      case .done: return false
      case .header:
        let taken = min(Self.block - header.count, bytes.count - position)
        header += bytes[position..<position + taken]
        position += taken
        guard header.count == Self.block else { return true }
        begin()
        header.removeAll(keepingCapacity: true)
      case .entry(let left, let blanks, let isPosts):
        let taken = min(left, bytes.count - position)
        if isPosts, taken > 0 {
          let isWanted = bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[position..<position + taken]))
          }
          guard isWanted else { return false }
        }
        position += taken
        guard taken == left else {
          state = .entry(left: left - taken, blanks: blanks, isPosts: isPosts)
          continue
        }
        if isPosts {
          state = .done
        } else {
          state = blanks > 0 ? .entry(left: blanks, blanks: 0, isPosts: false) : .header
        }
      }
    }
    return true
  }

  private mutating func begin() {
    guard let size = Self.octal(header[124..<136]), size <= Self.longest - byteCount,
      entryCount < Self.entries, header.contains(where: { $0 != 0 })
    else {
      state = .done
      return
    }
    entryCount += 1
    byteCount += size
    let isFile = header[156] == UInt8(ascii: "0") || header[156] == 0
    let isPosts = isFile && ArchiveName.isPosts(header[..<100].prefix { $0 != 0 })
    state = .entry(
      left: size, blanks: (Self.block - size % Self.block) % Self.block, isPosts: isPosts)
  }

  private static func octal(_ digits: ArraySlice<UInt8>) -> Int? {
    let digits = digits.drop { $0 == UInt8(ascii: " ") }
      .prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    guard digits.allSatisfy({ (48..<56).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 - 48) }
  }
}

/// Finds the posts in a zip file, by the directory at its end.
enum ZipFile {
  /// Where an entry's bytes stand in the file.
  struct Entry: Equatable {
    var range: Range<Int>
    var isDeflated: Bool
  }

  /// Bytes of the directory that are read.
  static let longestDirectory = 64 << 20

  static func begins(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// Nil where there are none, or it is no zip file that can be read.
  static func posts(in file: FileBytes) -> Entry? {
    guard let size = file.size,
      let end = try? file.read(max(0, size - 65_557)..<size),
      let mark = end.indices.reversed().first(where: {
        end[$0...].starts(with: [0x50, 0x4B, 5, 6]) && end.count - $0 >= 22
      })
    else { return nil }
    let (length, start) = (end.number(mark + 12, 4), end.number(mark + 16, 4))
    guard length <= longestDirectory, start + length <= size,
      let directory = try? file.read(start..<start + length), directory.count == length
    else { return nil }
    var position = 0
    while directory.count - position >= 46,
      directory[position...].starts(with: [0x50, 0x4B, 1, 2])
    {
      let name = position + 46
      let nameEnd = name + directory.number(position + 28, 2)
      guard nameEnd <= directory.count else { return nil }
      if ArchiveName.isPosts(directory[name..<nameEnd]) {
        return entry(
          at: directory.number(position + 42, 4), packed: directory.number(position + 20, 4),
          method: directory.number(position + 10, 2), of: file, size: size)
      }
      position =
        nameEnd + directory.number(position + 30, 2) + directory.number(position + 32, 2)
    }
    return nil
  }

  private static func entry(
    at offset: Int, packed: Int, method: Int, of file: FileBytes, size: Int
  ) -> Entry? {
    guard method == 0 || method == 8, offset + 30 <= size,
      let header = try? file.read(offset..<offset + 30), header.count == 30,
      header.starts(with: [0x50, 0x4B, 3, 4])
    else { return nil }
    let start = offset + 30 + header.number(26, 2) + header.number(28, 2)
    guard start + packed <= size else { return nil }
    return Entry(range: start..<start + packed, isDeflated: method == 8)
  }
}

extension [UInt8] {
  /// A number of so many bytes, the lowest first; 0 where they are not there.
  fileprivate func number(_ place: Int, _ bytes: Int) -> Int {
    guard place + bytes <= count else { return 0 }
    return (0..<bytes).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}

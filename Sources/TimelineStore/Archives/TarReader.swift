/// Finds the files of a tar archive (POSIX.1, with the long names of pax and GNU) as its bytes
/// arrive.
///
/// Only regular files are reported; links, devices and folders are skipped.
struct TarReader {
  /// The events, which are reported in the order of the archive.
  enum Event {
    /// The beginning of a file, and the position of its bytes in the archive.
    case file(path: [UInt8], place: Range<Int>)
    /// Bytes of the current file.
    case bytes(UnsafeRawBufferPointer)
  }

  private enum State {
    case header
    /// The remaining bytes of an entry, and the padding after it.
    case entry(left: Int, blanks: Int, Kind)
    case done
  }

  private enum Kind {
    case file, other
    /// An entry that holds the name of the next one: among pax records, or alone.
    case records, longName
  }

  private static let block = 512
  /// The maximum number of entries, and of the bytes of all entries.
  static let maximumEntries = 1_000_000
  static let maximumBytes = 64 << 30
  /// The maximum size in bytes of an entry that holds a long name.
  static let maximumNameBytes = 64 << 10

  private var state = State.header
  private var header: [UInt8] = []
  private var naming: [UInt8] = []
  private var longName: [UInt8]?
  private var entryCount = 0
  private var byteCount = 0
  private var position = 0

  /// Whether bytes begin like a tar archive.
  static func begins(_ head: [UInt8]) -> Bool {
    head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
  }

  /// Reads the next bytes.
  ///
  /// - Returns: false if `body` has returned false, or the archive has ended.
  mutating func read(_ bytes: [UInt8], _ body: (Event) -> Bool) -> Bool {
    var next = 0
    while next < bytes.count {
      switch state {
      case .done: return false
      case .header:
        let taken = min(Self.block - header.count, bytes.count - next)
        header += bytes[next..<next + taken]
        next += taken
        position += taken
        guard header.count == Self.block else { return true }
        guard begin(body) else { return false }
        header.removeAll(keepingCapacity: true)
      case .entry(let left, let blanks, let kind):
        let taken = min(left, bytes.count - next)
        let range = next..<next + taken
        next += taken
        position += taken
        guard take(bytes, range, kind, body) else { return false }
        if taken < left {
          state = .entry(left: left - taken, blanks: blanks, kind)
        } else {
          finish(kind)
          state = blanks > 0 ? .entry(left: blanks, blanks: 0, .other) : .header
        }
      }
    }
    return true
  }

  /// Skips the rest of the current entry, for a caller that reads the archive by position.
  ///
  /// - Returns: the number of bytes skipped.
  mutating func skipEntry() -> Int {
    guard case .entry(let left, let blanks, let kind) = state, kind == .file || kind == .other
    else { return 0 }
    state = .header
    position += left + blanks
    return left + blanks
  }

  private mutating func take(
    _ bytes: [UInt8], _ range: Range<Int>, _ kind: Kind, _ body: (Event) -> Bool
  ) -> Bool {
    switch kind {
    case .file where !range.isEmpty:
      return bytes.withUnsafeBytes { body(.bytes(UnsafeRawBufferPointer(rebasing: $0[range]))) }
    case .records, .longName: naming += bytes[range]
    case .file, .other: break
    }
    return true
  }

  /// Stores the name that the entry holds for the next one.
  private mutating func finish(_ kind: Kind) {
    switch kind {
    case .longName: longName = Array(naming.prefix { $0 != 0 })
    case .records: longName = Self.path(inRecords: naming) ?? longName
    case .file, .other: return
    }
    naming = []
  }

  private mutating func begin(_ body: (Event) -> Bool) -> Bool {
    guard let size = Self.number(header[124..<136]), size <= Self.maximumBytes - byteCount,
      entryCount < Self.maximumEntries, header.contains(where: { $0 != 0 })
    else {
      state = .done
      return false
    }
    entryCount += 1
    byteCount += size
    let kind = kind(size: size)
    state = .entry(left: size, blanks: (Self.block - size % Self.block) % Self.block, kind)
    guard kind == .file || kind == .other else { return true }
    let path = longName ?? ownName
    longName = nil
    return kind == .other || body(.file(path: path, place: position..<position + size))
  }

  private func kind(size: Int) -> Kind {
    switch header[156] {
    case 0, UInt8(ascii: "0"): .file
    case UInt8(ascii: "x") where size <= Self.maximumNameBytes: .records
    case UInt8(ascii: "L") where size <= Self.maximumNameBytes: .longName
    default: .other
    }
  }

  private var ownName: [UInt8] {
    let name = Array(header[..<100].prefix { $0 != 0 })
    // GNU stores times in the place of POSIX's path prefix.
    let prefix = header[262] == 0 ? Array(header[345..<500].prefix { $0 != 0 }) : []
    return prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
  }

  /// The path in records of the form `LENGTH KEY=VALUE\n`.
  private static func path(inRecords bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...]
    var path: [UInt8]?
    while let blank = rest.firstIndex(of: UInt8(ascii: " ")),
      let length = Int(String(decoding: rest[..<blank], as: UTF8.self)), length > 0,
      length <= rest.count, rest.startIndex + length > blank + 1
    {
      let record = rest[(blank + 1)..<(rest.startIndex + length)]
      if record.starts(with: "path=".utf8) { path = Array(record.dropFirst(5).dropLast()) }
      rest = rest.dropFirst(length)
    }
    return path
  }

  /// A number in octal digits, or behind a byte of 0x80 in binary, as GNU writes it from 8 GiB on.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard field.first == 0x80 else { return octal(field) }
    var value = 0
    for byte in field.dropFirst() {
      guard value <= Int.max >> 8 else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  private static func octal(_ digits: ArraySlice<UInt8>) -> Int? {
    let digits = digits.drop { $0 == UInt8(ascii: " ") }
      .prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    guard digits.allSatisfy({ (48..<56).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 - 48) }
  }
}

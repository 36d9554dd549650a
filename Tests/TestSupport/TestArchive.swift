import CZlib

/// Archives made by the tests, valid and invalid ones.
public enum TestArchive {
  /// An entry of a tar archive, a file or another kind.
  public struct Entry {
    public var name: String
    public var bytes: [UInt8]
    /// `0` a file, `1` and `2` links, `3` a device.
    public var kind: Character

    public init(_ name: String, _ bytes: [UInt8] = [], kind: Character = "0") {
      self.name = name
      self.bytes = bytes
      self.kind = kind
    }
  }

  public static func tar(_ files: [(String, [UInt8])]) -> [UInt8] {
    tar(files.map { Entry($0.0, $0.1) })
  }

  /// Names longer than 100 bytes are in a pax record before their file.
  public static func tar(_ entries: [Entry]) -> [UInt8] {
    var archive: [UInt8] = []
    archive.reserveCapacity(entries.reduce(1_024) { $0 + $1.bytes.count + 2_048 })
    for entry in entries {
      if entry.name.utf8.count > 100 {
        let record = " path=\(entry.name)\n"
        var length = record.utf8.count + 1
        while "\(length)".utf8.count + record.utf8.count != length { length += 1 }
        append(Entry("PaxHeader", Array("\(length)\(record)".utf8), kind: "x"), to: &archive)
      }
      append(entry, to: &archive)
    }
    archive += [UInt8](repeating: 0, count: 1_024)
    return archive
  }

  private static func append(_ entry: Entry, to archive: inout [UInt8]) {
    var header = [UInt8](repeating: 0, count: 512)
    let name = Array(entry.name.utf8.prefix(100))
    header.replaceSubrange(0..<name.count, with: name)
    let size = String(entry.bytes.count, radix: 8)
    let digits = String(repeating: "0", count: 11 - size.count) + size
    header.replaceSubrange(124..<135, with: digits.utf8)
    header[156] = entry.kind.asciiValue ?? 0
    header.replaceSubrange(257..<263, with: Array("ustar".utf8) + [0])
    archive += header
    archive += entry.bytes
    archive += [UInt8](repeating: 0, count: (512 - entry.bytes.count % 512) % 512)
  }

  /// - Parameters:
  ///   - isDeflated: if false, without compression, as zip files may be.
  ///   - isLarge: whether it is written like one of more than 4 GB.
  public static func zip(
    _ files: [(String, [UInt8])], isDeflated: Bool = false, isLarge: Bool = false
  ) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0.prefix(count)) }
    }
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    let zip64Marker = 0xFFFF_FFFF
    let beginning = bytes(0x0403_4B50, 4) + bytes(20, 2) + bytes(0, 2)
    let entry = bytes(0x0201_4B50, 4) + bytes(20, 2) + bytes(20, 2) + bytes(0, 2)
    let method = bytes(isDeflated ? 8 : 0, 2) + bytes(0, 4)
    for (name, content) in files {
      let packed = isDeflated ? deflated(content, windowBits: -15) : content
      let sizes = bytes(0, 4) + bytes(packed.count, 4) + bytes(content.count, 4)
      // An extra field before that of the sizes.
      let numbers =
        isLarge
        ? bytes(0x5455, 2) + bytes(1, 2) + [0] + bytes(1, 2) + bytes(24, 2)
          + bytes(content.count, 8) + bytes(packed.count, 8) + bytes(archive.count, 8) : []
      directory += entry
      directory += method
      directory += isLarge ? bytes(0, 4) + bytes(zip64Marker, 4) + bytes(zip64Marker, 4) : sizes
      directory += bytes(name.utf8.count | numbers.count << 16, 4)
      directory += bytes(0, 6) + bytes(0, 4)
      directory += bytes(isLarge ? zip64Marker : archive.count, 4)
      directory += name.utf8
      directory += numbers
      archive += beginning
      archive += method
      archive += sizes
      archive += bytes(name.utf8.count, 4)
      archive += name.utf8
      archive += packed
    }
    let start = archive.count
    archive += directory
    if isLarge {
      let record = archive.count
      for part: [UInt8] in [
        [0x50, 0x4B, 6, 6], bytes(44, 8), bytes(45, 2), bytes(45, 2), bytes(0, 8),
        bytes(files.count, 8), bytes(files.count, 8), bytes(directory.count, 8),
        bytes(start, 8), [0x50, 0x4B, 6, 7], bytes(0, 4), bytes(record, 8), bytes(1, 4),
      ] { archive += part }
    }
    let count = bytes(isLarge ? 0xFFFF : files.count & 0xFFFF, 2)
    for part: [UInt8] in [
      [0x50, 0x4B, 5, 6], bytes(0, 2), bytes(0, 2), count, count,
      bytes(isLarge ? 0xFFFF_FFFF : directory.count, 4),
      bytes(isLarge ? 0xFFFF_FFFF : start, 4), bytes(0, 2),
    ] { archive += part }
    return archive
  }

  public static func gzip(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, windowBits: 31) }

  private static func deflated(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    let most = Int(deflateBound(&stream, UInt(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: most) { output, count in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, Z_FINISH)
        count = output.count - Int(stream.avail_out)
      }
    }
  }
}

/// Paths within an archive, which are only looked up and never written to.
enum ArchivePath {
  static let longest = 1_024

  /// The path in its normal form; `nil` if it leads or might lead out of the archive: if it is
  /// absolute or contains `..`, a backslash or a control character. Also `nil` if it is too long.
  static func plain(_ path: some Sequence<UInt8>) -> String? {
    let bytes = Array(path)
    guard bytes.count <= longest, bytes.first != UInt8(ascii: "/"),
      bytes.allSatisfy({ $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "\\") })
    else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.isEmpty, !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
      return nil
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  /// The path in its normal form if it is that of a Mastodon archive's posts, else `nil`.
  static func posts(_ path: [UInt8]) -> String? {
    guard path.suffix(11).elementsEqual("outbox.json".utf8), let path = plain(path) else {
      return nil
    }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return parts.count <= 4 && parts.last?.elementsEqual("outbox.json".utf8) == true ? path : nil
  }

  /// The path if it is that of the posts of an unpacked archive, else `nil`.
  static func posts(ofUnpacked path: String) -> String? {
    path.split(separator: "/").last == "outbox.json" ? path : nil
  }

  /// Whether the file is kept: a picture, or the description of the owner.
  static func isKept(_ path: [UInt8]) -> Bool {
    let end = path.suffix(11).map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", "actor.json"].contains { ending in
      end.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  /// The folder of a path, with a trailing slash; empty if there is none.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }
}

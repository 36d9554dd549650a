/// Paths within an archive. They are names to look up and never those of files that are written.
enum ArchivePath {
  static let longest = 1_024

  /// The path in one spelling; nil of one that leads out of the archive, or could be meant to:
  /// from the
  /// root, with `..`, a backslash or a control character.
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

  /// The path, where it is that of the posts of an archive of Mastodon's.
  static func posts(_ path: [UInt8]) -> String? {
    guard path.suffix(11).elementsEqual("outbox.json".utf8), let path = plain(path) else {
      return nil
    }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return parts.count <= 4 && parts.last?.elementsEqual("outbox.json".utf8) == true ? path : nil
  }

  /// The path of a file of this machine, where it is that of the posts of an archive that was
  /// unpacked.
  static func posts(ofUnpacked path: String) -> String? {
    path.split(separator: "/").last == "outbox.json" ? path : nil
  }

  /// Whether it is a file that is kept: a picture, or whose archive it is.
  static func isKept(_ path: [UInt8]) -> Bool {
    let end = path.suffix(11).map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", "actor.json"].contains { ending in
      end.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  /// The folder that a path stands in, with a slash behind it; empty for none.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }
}

import FoundationEssentials
import Glibc
import TestSupport

/// A file of the tests, fuzz targets, benchmarks or scripts.
struct TestFile {
  /// Relative to the package.
  let path: String
  let bytes: [UInt8]

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// All handwritten files of these folders, without `except`.
  static func all(except: Set<String>) throws -> [TestFile] {
    let root = PackageFiles.root
    let paths = try ["Tests", "Fuzz", "Benchmarks", "Scripts"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
        .map { folder + "/" + $0 }
    }
    return paths.sorted().compactMap { path in
      let isBuilt = path.contains("/.build") || path.contains("/Package.resolved")
      guard !isBuilt, let bytes = try? PackageFiles.bytes(at: root + "/" + path) else { return nil }
      let file = TestFile(path: path, bytes: bytes)
      return except.contains(file.name) ? nil : file
    }
  }

  /// The offsets of `text`, which must not be empty.
  func places(of text: String) -> [Int] {
    let needle = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [] }
      var places: [Int] = []
      var start = 0
      while start + needle.count <= bytes.count,
        let found = memchr(base + start, Int32(needle[0]), bytes.count - needle.count + 1 - start)
      {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, needle, needle.count) == 0 { places.append(place) }
        start = place + 1
      }
      return places
    }
  }

  func contains(_ text: String) -> Bool { !places(of: text).isEmpty }

  /// The line that contains `place`.
  func line(at place: Int) -> String {
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Whether `count` numbers, each after a dot, follow at `place`.
  func hasNumbers(_ count: Int, at place: Int) -> Bool {
    var rest = bytes[place...]
    for _ in 0..<count {
      guard rest.first == UInt8(ascii: "."), rest.dropFirst().first.map(Self.isDigit) == true else {
        return false
      }
      rest = rest.dropFirst().drop(while: Self.isDigit)
    }
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether a word begins at `place`.
  func isWordStart(_ place: Int) -> Bool {
    guard place > 0 else { return true }
    let before = bytes[place - 1]
    return !Self.isDigit(before) && before != UInt8(ascii: "_")
      && !(0x61...0x7A).contains(before | 0x20)
  }
}

import Glibc

/// A kept input.
package struct FuzzInput {
  package let path: String
  package let bytes: [UInt8]

  /// The files of a folder, by name; none where there is no such folder.
  package static func all(in folder: String) -> [FuzzInput] {
    guard let opened = opendir(folder) else { return [] }
    defer { closedir(opened) }
    var names: [String] = []
    while let entry = readdir(opened) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      return bytes(of: path).map { FuzzInput(path: path, bytes: $0) }
    }
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}

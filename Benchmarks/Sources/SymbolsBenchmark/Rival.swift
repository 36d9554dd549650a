import Geometry
import Glibc
import Pixels

/// A program that prints pictures as characters, where it is installed.
struct Rival: Sendable {
  let name: String
  /// What it is given before the file, for a picture of that size in cells.
  private let options: @Sendable (Size) -> String

  static let all = [
    Rival(name: "chafa") {
      "--format symbols --symbols block --colors full --stretch --work 9 "
        + "--size \($0.width)x\($0.height)"
    },
    Rival(name: "timg") { "-p q -U -g \($0.width)x\($0.height)" },
  ]

  /// What it prints for the file; nil where it is not there, or fails.
  func print(_ path: String, size: Size) -> [UInt8]? {
    guard let pipe = popen("\(name) \(options(size)) '\(path)' 2>/dev/null", "r") else {
      return nil
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      output += buffer[..<count]
    }
    return pclose(pipe) == 0 && !output.isEmpty ? output : nil
  }
}

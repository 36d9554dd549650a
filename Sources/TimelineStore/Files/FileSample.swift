import System

/// A few bytes from all over a file, to see whether what was read of it still stands there.
///
/// A file that is written over in place keeps its name, its inode and perhaps its size. Whoever
/// hears that something was written compares the samples, to see whether it was more than an
/// append; its time of change would not tell, being no finer than a clock tick. Changes between the
/// samples escape.
struct FileSample: Hashable, Sendable {
  /// Samples taken of a file, the first and the last bytes among them.
  static let count = 16
  /// Bytes of each.
  static let length = 1 << 10

  /// Bytes of the file that the samples stand for.
  let end: Int
  private let bytes: [UInt8]

  /// Samples the first `end` bytes.
  ///
  /// - Throws: `errno` of the call that failed.
  init(of file: FileBytes, end: Int) throws(SystemFailure) {
    self.end = end
    bytes = try Self.bytes(of: file, end: end)
  }

  /// Whether other bytes stand in the sampled places now.
  ///
  /// - Throws: `errno` of the call that failed.
  func differs(from file: FileBytes) throws(SystemFailure) -> Bool {
    try Self.bytes(of: file, end: end) != bytes
  }

  private static func bytes(of file: FileBytes, end: Int) throws(SystemFailure) -> [UInt8] {
    let last = max(0, end - length)
    var bytes: [UInt8] = []
    for index in 0..<count {
      let start = index == count - 1 ? last : last / (count - 1) * index
      bytes += try file.read(start..<min(end, start + length))
      if last == 0 { break }
    }
    return bytes
  }
}

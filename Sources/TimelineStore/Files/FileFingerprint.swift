import System

/// Samples of a file's bytes, to detect whether the bytes read before have changed.
///
/// A file that is overwritten in place keeps its name, its inode and perhaps its size. After a
/// write the samples distinguish that from an append. The modification time does not: an append
/// changes it, too, and it is no finer than a clock tick. Changes between the samples go unnoticed.
struct FileFingerprint: Hashable, Sendable {
  /// The number of samples, including those of the first and the last bytes.
  static let count = 16
  /// The size of a sample in bytes.
  static let length = 1 << 10

  /// The number of bytes at the beginning of the file that the samples represent.
  let end: Int
  private let samples: [[UInt8]]

  /// Samples the first `end` bytes.
  ///
  /// - Throws: `errno` of the call that failed.
  init(of file: FileBytes, end: Int) throws(SystemFailure) {
    self.end = end
    var samples: [[UInt8]] = []
    for start in Self.starts(end: end) {
      samples.append(try file.read(start..<min(end, start + Self.length)))
    }
    self.samples = samples
  }

  /// Whether the sampled bytes have changed in `file`, considering only its first `size` bytes.
  ///
  /// - Throws: `errno` of the call that failed.
  func differs(from file: FileBytes, size: Int = .max) throws(SystemFailure) -> Bool {
    for (start, sample) in zip(Self.starts(end: end), samples) where start < size {
      let old = size - start < sample.count ? Array(sample.prefix(size - start)) : sample
      if try file.read(start..<start + old.count) != old { return true }
    }
    return false
  }

  /// The offset of each sample.
  private static func starts(end: Int) -> [Int] {
    let last = max(0, end - length)
    return last == 0 ? [0] : (0..<count).map { $0 == count - 1 ? last : last / (count - 1) * $0 }
  }
}

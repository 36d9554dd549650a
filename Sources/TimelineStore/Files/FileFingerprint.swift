import System

/// Samples of a file's bytes, to detect whether the bytes read before have changed.
///
/// A file that is overwritten in place keeps its name, its inode and perhaps its size. After a
/// write the samples distinguish that from an append; the time of the change would not, because it
/// is no finer than a clock tick. Changes between the samples go unnoticed.
struct FileFingerprint: Hashable, Sendable {
  /// The number of samples, including the first and the last bytes.
  static let count = 16
  /// The size of a sample in bytes.
  static let length = 1 << 10

  /// The number of bytes that the samples represent.
  let end: Int
  private let samples: [[UInt8]]

  /// Samples the first `end` bytes.
  ///
  /// - Throws: `errno` of the call that failed.
  init(of file: FileBytes, end: Int) throws(SystemFailure) {
    self.end = end
    var samples: [[UInt8]] = []
    for place in Self.places(end: end) { samples.append(try file.read(place)) }
    self.samples = samples
  }

  /// Whether the sampled bytes have changed, as far as they belong to the first `size` bytes.
  ///
  /// - Throws: `errno` of the call that failed.
  func differs(from file: FileBytes, size: Int = .max) throws(SystemFailure) -> Bool {
    for (place, sample) in zip(Self.places(end: end), samples) where place.lowerBound < size {
      let now = try file.read(place.lowerBound..<min(place.upperBound, size))
      let old = size < place.upperBound ? sample.prefix(size - place.lowerBound) : sample[...]
      if now[...] != old { return true }
    }
    return false
  }

  private static func places(end: Int) -> [Range<Int>] {
    let last = max(0, end - length)
    guard last > 0 else { return [0..<end] }
    return (0..<count).map { index in
      let start = index == count - 1 ? last : last / (count - 1) * index
      return start..<min(end, start + length)
    }
  }
}

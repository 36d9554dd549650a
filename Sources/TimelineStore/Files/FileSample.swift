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

  /// Whether other bytes stand in the sampled places now, as far as they lie in the first `size`
  /// bytes.
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

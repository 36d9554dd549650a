import System

/// A pattern by which a post is found again in the bytes of a source: letters and digits of its id
/// or its text, which every notation writes unchanged, while the characters between them may be
/// escaped (`/` as `\/` or `&#47;`).
///
/// The longest stretch of them is searched for. It may occur in every post, as the name of a host
/// does, so the others have to be around it.
struct PostIDPattern {
  /// Consecutive letters and digits.
  private struct Stretch {
    let bytes: [UInt8]
    /// The number of bytes of other characters between it and the previous stretch.
    let gap: Int
    /// Whether the word may continue after it, because a text was cut there.
    var isCut = false
  }

  private let stretches: [Stretch]
  private let longest: Int

  /// The number of bytes needed on either side of the longest stretch to check the others.
  var reach: Int {
    stretches.reduce(1) { $0 + $1.bytes.count + Self.written($1.gap) }
  }

  /// The maximum number of bytes in which a gap is written: a character as `&#x2028;` or `\u2028`,
  /// which also contains letters and digits; characters of other scripts in fewer.
  private static func written(_ gap: Int) -> Int { min(16 * gap, 64 + 8 * gap) }
  /// The minimum length of the longest stretch; shorter ones occur everywhere.
  private static let fewest = 4

  /// `nil` if the id has no four letters or digits in a row.
  init?(id: some StringProtocol) {
    var stretches: [Stretch] = []
    var gap = 0
    for part in id.utf8.split(omittingEmptySubsequences: false, whereSeparator: { !isWord($0) }) {
      if part.isEmpty {
        gap += 1
      } else {
        stretches.append(Stretch(bytes: Array(part), gap: gap))
        gap = 1
      }
    }
    self.init(stretches)
  }

  /// The longest run of words with single spaces between them; `nil` if it is too short.
  init?(words: String) {
    let parts = words.utf8.split { !isWord($0) && $0 != UInt8(ascii: " ") }
    guard let longest = parts.max(by: { $0.count < $1.count }) else { return nil }
    self.init([Stretch(bytes: Array(longest), gap: 0, isCut: true)])
  }

  private init?(_ stretches: [Stretch]) {
    let longest = stretches.indices.max { stretches[$0].bytes.count < stretches[$1].bytes.count }
    guard let longest, stretches[longest].bytes.count >= Self.fewest else { return nil }
    self.stretches = stretches
    self.longest = longest
  }

  /// The positions in `bytes` of the longest stretch with the others around it.
  ///
  /// - Complexity: O(n) in the bytes, and in those of the id at each longest stretch.
  func places(in bytes: UnsafeRawBufferPointer) -> [Int] {
    let needle = stretches[longest].bytes
    var places: [Int] = []
    guard let base = bytes.baseAddress else { return places }
    var start = 0
    while start + needle.count <= bytes.count,
      let found = memchr(base + start, Int32(needle[0]), bytes.count - needle.count + 1 - start)
    {
      let place = UnsafeRawPointer(found) - base
      if isPlace(place, in: bytes) { places.append(place) }
      start = place + 1
    }
    return places
  }

  private func isPlace(_ place: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard stands(stretches[longest], at: place, in: bytes) else { return false }
    var end = place + stretches[longest].bytes.count
    for stretch in stretches[(longest + 1)...] {
      let last = min(end + Self.written(stretch.gap), bytes.count - stretch.bytes.count)
      // A character of several bytes may be a single one in another encoding.
      guard end + 1 <= last,
        let start = (end + 1...last).first(where: { stands(stretch, at: $0, in: bytes) })
      else { return false }
      end = start + stretch.bytes.count
    }
    var start = place
    for index in stretches[..<longest].indices.reversed() {
      let (stretch, gap) = (stretches[index], stretches[index + 1].gap)
      let first = max(0, start - Self.written(gap) - stretch.bytes.count)
      let last = start - 1 - stretch.bytes.count
      guard first <= last,
        let found = (first...last).last(where: { stands(stretch, at: $0, in: bytes) })
      else { return false }
      start = found
    }
    return true
  }

  /// Whether a stretch is at a position and ends there: digits may be the beginning of a longer
  /// number.
  private func stands(_ stretch: Stretch, at place: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    let end = place + stretch.bytes.count
    return bytes[place] == stretch.bytes[0] && bytes[place..<end].elementsEqual(stretch.bytes)
      && (stretch.isCut || end == bytes.count || !isWord(bytes[end]))
  }
}

private func isWord(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  default: false
  }
}

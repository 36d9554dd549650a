import System

/// What is looked for in the bytes of a source to find a post again: letters and digits of its id
/// or its text, which every notation writes as they are, while what stands between them may be
/// written otherwise (`/` as `\/` or `&#47;`).
///
/// The longest stretch of them is searched for. It may well stand in every post, as the name of a
/// host does, so the others have to stand around it.
struct PlaceNeedle {
  /// Letters and digits that follow one another.
  private struct Stretch {
    let bytes: [UInt8]
    /// Bytes of other characters between it and the stretch before.
    let gap: Int
    /// What goes on behind it may be of the same word: a text was cut there.
    var isCut = false
  }

  private let stretches: [Stretch]
  private let longest: Int

  /// Bytes on either side of the longest stretch that have to be seen to know whether it is this
  /// one.
  var reach: Int {
    stretches.reduce(1) { $0 + $1.bytes.count + Self.written($1.gap) }
  }

  /// Bytes that so many between two stretches are written in at most: a sign as `&#x2028;` or
  /// `\u2028`, and what may be taken for a stretch in it; those of other scripts in fewer.
  private static func written(_ gap: Int) -> Int { min(16 * gap, 64 + 8 * gap) }
  /// What is shorter stands everywhere.
  private static let fewest = 4

  /// Nil where the id has no four letters or digits in a row.
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

  /// The longest stretch of words with single spaces in between; nil where that is too short.
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

  /// Where the longest stretch stands in `bytes` with the others around it.
  ///
  /// - Complexity: O(n) in the bytes, and in those of the id where the longest stretch stands.
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
      // A character of several bytes may be one in another encoding.
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

  /// Whether a stretch stands at a place and ends there: digits may be the beginning of others.
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

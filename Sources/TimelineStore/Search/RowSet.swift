/// A set of rows as bits, which can count its members and find them by their rank.
struct RowSet: Sendable {
  private typealias Word = UInt64

  /// The number of words whose members are counted together.
  private static let blockWords = 64
  private static let wordBits = Word.bitWidth

  private var words: [Word] = []
  /// The number of members in each `blockWords` words.
  private var counts: [Int32] = []
  private(set) var count = 0

  /// - Complexity: O(1), unless the set has to grow
  mutating func insert(_ row: Int) {
    let word = row / Self.wordBits
    if word >= words.count {
      let size = (word / Self.blockWords + 1) * Self.blockWords
      words.append(contentsOf: repeatElement(0, count: size - words.count))
      counts.append(
        contentsOf: repeatElement(0, count: size / Self.blockWords - counts.count))
    }
    let bit = Word(1) << Word(row % Self.wordBits)
    guard words[word] & bit == 0 else { return }
    words[word] |= bit
    counts[word / Self.blockWords] += 1
    count += 1
  }

  /// - Complexity: O(n / 64) in the rows, unless the set has to grow
  mutating func insert(_ rows: Range<Int>) {
    guard let last = rows.last else { return }
    insert(last)
    Self.forEachWord(of: rows) { word, bits in set(word, to: words[word] | bits) }
  }

  /// - Complexity: O(n / 64) in the rows
  mutating func remove(_ rows: Range<Int>) {
    Self.forEachWord(of: rows.clamped(to: 0..<words.count * Self.wordBits)) { word, bits in
      set(word, to: words[word] & ~bits)
    }
  }

  private mutating func set(_ word: Int, to bits: Word) {
    let change = bits.nonzeroBitCount - words[word].nonzeroBitCount
    words[word] = bits
    counts[word / Self.blockWords] += Int32(change)
    count += change
  }

  /// Calls `body` with each word that has some of the rows, and their bits in it.
  private static func forEachWord(of rows: Range<Int>, _ body: (_ word: Int, Word) -> Void) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let (word, start) = row.quotientAndRemainder(dividingBy: wordBits)
      let length = min(wordBits - start, rows.upperBound - row)
      let ones = length == wordBits ? Word.max : (1 << Word(length)) - 1
      body(word, ones << Word(start))
      row += length
    }
  }

  /// - Complexity: O(1)
  mutating func remove(_ row: Int) {
    guard contains(row) else { return }
    words[row / Self.wordBits] &= ~(1 << Word(row % Self.wordBits))
    counts[row / Self.wordBits / Self.blockWords] -= 1
    count -= 1
  }

  /// - Complexity: O(1)
  func contains(_ row: Int) -> Bool {
    let word = row / Self.wordBits
    guard row >= 0, word < words.count else { return false }
    return words[word] >> Word(row % Self.wordBits) & 1 == 1
  }

  /// The number of smaller members. - Complexity: O(rows / 4096)
  func rank(of row: Int) -> Int {
    guard row > 0 else { return 0 }
    let word = min(row / Self.wordBits, words.count)
    let block = word / Self.blockWords
    var rank = counts[..<block].reduce(0) { $0 + Int($1) }
    for index in block * Self.blockWords..<word { rank += words[index].nonzeroBitCount }
    if word < words.count, row / Self.wordBits == word {
      let below = Word(1) << Word(row % Self.wordBits) - 1
      rank += (words[word] & below).nonzeroBitCount
    }
    return rank
  }

  /// The number of members below `row` that `other` has, too. - Complexity: O(rows / 64)
  func count(below row: Int = .max, sharedWith other: RowSet) -> Int {
    let (row, end) = (max(0, row), min(words.count, other.words.count))
    let whole = min(row / Self.wordBits, end)
    var count = 0
    for index in 0..<whole { count += (words[index] & other.words[index]).nonzeroBitCount }
    if whole < end {
      let below = Word(1) << Word(row % Self.wordBits) - 1
      count += (words[whole] & other.words[whole] & below).nonzeroBitCount
    }
    return count
  }

  /// The member with `rank` smaller members; `nil` if there is none.
  /// - Complexity: O(rows / 4096)
  func member(at rank: Int) -> Int? {
    guard rank >= 0, rank < count else { return nil }
    var rest = rank
    var block = 0
    while rest >= Int(counts[block]) {
      rest -= Int(counts[block])
      block += 1
    }
    var word = block * Self.blockWords
    while rest >= words[word].nonzeroBitCount {
      rest -= words[word].nonzeroBitCount
      word += 1
    }
    var bits = words[word]
    for _ in 0..<rest { bits &= bits - 1 }
    return word * Self.wordBits + bits.trailingZeroBitCount
  }

  /// The first member from `row` on. - Complexity: O(rows / 4096)
  func first(from row: Int) -> Int? { member(at: rank(of: row)) }

  /// The last member before `row`. - Complexity: O(rows / 4096)
  func last(before row: Int) -> Int? { member(at: rank(of: row) - 1) }

  /// The members as ascending ranges, as few as possible. - Complexity: O(rows / 64 + ranges)
  var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (index, word) in words.enumerated() where word != 0 {
      var (rest, base) = (word, index * Self.wordBits)
      while rest != 0 {
        let start = rest.trailingZeroBitCount
        let length = (~(rest >> Word(start))).trailingZeroBitCount
        let range = base + start..<base + start + length
        if let last = ranges.last, last.upperBound == range.lowerBound {
          ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
          ranges.append(range)
        }
        let end = start + length
        guard end < Self.wordBits else { break }
        rest >>= Word(end)
        base += end
      }
    }
    return ranges
  }

  /// The invariants that are broken. - Complexity: O(rows / 64)
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    if words.count != counts.count * Self.blockWords {
      broken.append("\(words.count) words in \(counts.count) blocks")
    }
    for (block, known) in counts.enumerated() {
      let start = block * Self.blockWords
      let real = words[start..<min(words.count, start + Self.blockWords)].reduce(0) {
        $0 + $1.nonzeroBitCount
      }
      if real != Int(known) { broken.append("block \(block): \(known) members, not \(real)") }
    }
    let sum = counts.reduce(0) { $0 + Int($1) }
    if sum != count { broken.append("\(count) members, not \(sum)") }
    return broken
  }
}

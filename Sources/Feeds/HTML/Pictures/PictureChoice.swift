/// Chooses which of several files of one picture is shown.
enum PictureChoice {
  /// The width in pixels of the widest place that a list gives a picture: 96 columns, the maximum
  /// width of a text, of 8 pixels each. A wider file does not look better.
  static let boxWidth = 768

  /// The narrowest of `files` that is at least as wide as the box, else the widest, else the first.
  /// Of equally wide files the first.
  ///
  /// - Parameter width: the width of a file in pixels; `nil` if unknown.
  /// - Complexity: O(n).
  static func best<File>(of files: some Sequence<File>, width: (File) -> Int?) -> File? {
    files.min { rank(width($0)) < rank(width($1)) }
  }

  /// The place in the order of preference of a file `width` pixels wide: files that fill the box,
  /// narrowest first, then the others, widest first, then those of unknown width.
  static func rank(_ width: Int?, filling box: Int = boxWidth) -> (Int, Int) {
    guard let width else { return (2, 0) }
    return width >= box ? (0, width) : (1, -width)
  }
}

/// The candidates of a `srcset` (WHATWG HTML, "image candidate string"): each an address up to a
/// blank, then a descriptor up to a comma.
struct SourceSet: Sequence, IteratorProtocol {
  struct Candidate {
    /// The bytes of the address.
    let address: Range<Int>
    /// The width or density of its file (`320w`, `2x`); empty if it has none.
    let descriptor: Range<Int>
  }

  let bytes: Slice<UnsafeBufferPointer<UInt8>>
  private var position: Int

  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 32 }

  /// - Complexity: O(n) in the bytes of the candidate.
  mutating func next() -> Candidate? {
    let end = bytes.endIndex
    while position < end,
      Self.isBlank(bytes[position]) || bytes[position] == UInt8(ascii: ",")
    {
      position += 1
    }
    guard position < end else { return nil }
    let start = position
    while position < end, !Self.isBlank(bytes[position]) { position += 1 }
    var last = position
    while bytes[last - 1] == UInt8(ascii: ","), last - 1 > start { last -= 1 }
    guard last == position else { return Candidate(address: start..<last, descriptor: last..<last) }
    while position < end, Self.isBlank(bytes[position]) { position += 1 }
    let first = position
    while position < end, bytes[position] != UInt8(ascii: ",") { position += 1 }
    return Candidate(address: start..<last, descriptor: first..<position)
  }
}

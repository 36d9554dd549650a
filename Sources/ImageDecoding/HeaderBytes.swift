/// Bounds-checked reads from the bytes of a file; `nil` for an offset outside them. Offsets and
/// counts come from the file itself, so any value is accepted, even a negative one.
struct HeaderBytes {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// At most `count` bytes from `start` on; none if either is negative. Offsets in the result count
  /// from 0 again.
  func part(from start: Int, count: Int) -> HeaderBytes {
    guard start >= 0, count >= 0 else { return HeaderBytes([]) }
    return HeaderBytes(bytes.dropFirst(start).prefix(count))
  }

  func byte(_ place: Int) -> Int? {
    guard place >= 0, place < bytes.count else { return nil }
    return Int(bytes[bytes.startIndex + place])
  }

  func big16(_ place: Int) -> Int? { number(place, 2, isBig: true) }
  func big32(_ place: Int) -> Int? { number(place, 4, isBig: true) }
  func little16(_ place: Int) -> Int? { number(place, 2, isBig: false) }
  func little24(_ place: Int) -> Int? { number(place, 3, isBig: false) }
  func little32(_ place: Int) -> Int? { number(place, 4, isBig: false) }

  func number(_ place: Int, _ length: Int, isBig: Bool) -> Int? {
    guard place >= 0, 0...7 ~= length, length <= bytes.count, place <= bytes.count - length else {
      return nil
    }
    var value = 0
    for step in 0..<length {
      let next = Int(bytes[bytes.startIndex + place + step])
      value = isBig ? value << 8 | next : value | next << (8 * step)
    }
    return value
  }

  /// The offset of the first `byte` from `start` on.
  func place(of byte: UInt8, from start: Int) -> Int? {
    part(from: start, count: count).bytes.firstIndex(of: byte).map { $0 - bytes.startIndex }
  }

  /// Whether the bytes at `place` are those of `text`.
  func has(_ text: String, at place: Int) -> Bool {
    part(from: place, count: text.utf8.count).bytes.elementsEqual(text.utf8)
  }
}

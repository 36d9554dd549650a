/// The passes in which a progressive JPEG file draws its pixels (ITU T.81, B.2.3 and G.1).
///
/// Each goes over all of the picture and may take a few bytes of the file, so that a small file can
/// keep a decoder busy for minutes.
enum JPEGScans {
  /// Passes a picture may take: libjpeg's own programs make ten, the most patient ones below forty.
  static let limit = 64

  /// How many there are, ``limit`` + 1 where there are more.
  ///
  /// - Complexity: O(n) in the bytes.
  static func count(in bytes: HeaderBytes) -> Int {
    var count = 0
    var place = 2
    while count <= limit, let start = bytes.byte(place), let marker = bytes.byte(place + 1) {
      switch (start, marker) {
      case (0xFF, 0x01), (0xFF, 0xD0...0xD8): place += 2
      case (0xFF, 0x00), (0xFF, 0xFF): place += 1
      case (0xFF, 0xD9): return count
      case (0xFF, _):
        guard let length = bytes.big16(place + 2) else { return count }
        if marker == 0xDA { count += 1 }
        place += 2 + max(2, length)
      default:
        // Coded pixels, up to the next marker.
        guard let next = bytes.place(of: 0xFF, from: place) else { return count }
        place = next
      }
    }
    return count
  }
}

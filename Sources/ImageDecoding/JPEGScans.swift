/// What the segments of a whole JPEG file say of its pixels (ITU T.81, B.2.3 and G.1).
struct JPEGScans {
  /// The passes in which a progressive file draws its pixels; ``limit`` + 1 where there are more.
  ///
  /// Each goes over all of the picture and may take a few bytes of the file, so that a small file can
  /// keep a decoder busy for minutes.
  private(set) var count = 0
  /// An Adobe segment stands before the first of them: its CMYK is stored inverted.
  private(set) var hasAdobeSegment = false

  /// Passes a picture may take: libjpeg's own programs make ten, the most patient ones below forty.
  static let limit = 64

  /// - Complexity: O(n) in the bytes.
  init(in bytes: HeaderBytes) {
    var place = 2
    while count <= Self.limit, let start = bytes.byte(place), let marker = bytes.byte(place + 1) {
      switch (start, marker) {
      case (0xFF, 0x01), (0xFF, 0xD0...0xD8): place += 2
      case (0xFF, 0x00), (0xFF, 0xFF): place += 1
      case (0xFF, 0xD9): return
      case (0xFF, _):
        guard let length = bytes.big16(place + 2) else { return }
        if marker == 0xDA { count += 1 }
        if marker == 0xEE, count == 0, bytes.has("Adobe", at: place + 4) { hasAdobeSegment = true }
        place += 2 + max(2, length)
      default:
        // Coded pixels, up to the next marker.
        guard let next = bytes.place(of: 0xFF, from: place) else { return }
        place = next
      }
    }
  }
}

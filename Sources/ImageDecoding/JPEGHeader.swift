import ImageLoading
import Pixels

/// The segments of a JPEG file up to its frame header (ITU T.81, B.1 and B.2).
enum JPEGHeader {
  static func read(_ bytes: HeaderBytes) -> ImageHeaderResult {
    var orientation = PixelOrientation.upright
    var place = 2
    while true {
      guard let start = bytes.byte(place) else { return .needsMore }
      guard start == 0xFF else { return .corrupted(.jpeg, reason: "no marker where one must be") }
      guard let marker = bytes.byte(place + 1) else { return .needsMore }
      switch marker {
      case 0xFF:
        place += 1
        continue
      case 0x01, 0xD0...0xD8:
        place += 2
        continue
      case 0x00, 0xD9, 0xDA:
        return .corrupted(.jpeg, reason: "no frame header")
      default:
        break
      }
      guard let length = bytes.big16(place + 2) else { return .needsMore }
      guard length >= 2 else { return .corrupted(.jpeg, reason: "a segment of no length") }
      if isFrameHeader(marker) {
        guard let height = bytes.big16(place + 5), let width = bytes.big16(place + 7) else {
          return .needsMore
        }
        guard width > 0, height > 0 else {
          return .corrupted(.jpeg, reason: "a frame of no size")
        }
        let stored = PixelSize(width: width, height: height)
        return .header(
          ImageHeader(
            format: .jpeg, size: orientation.applied(to: stored), orientation: orientation))
      }
      if marker == 0xE1 {
        let content = bytes.part(from: place + 4, count: length - 2)
        guard content.count == length - 2 else { return .needsMore }
        if content.has(EXIF.name, at: 0) {
          let tiff = content.part(from: EXIF.name.utf8.count, count: content.count)
          orientation = EXIF.orientation(in: tiff) ?? orientation
        }
      }
      place += 2 + length
    }
  }

  /// SOF0...SOF15; DHT, JPG and DAC have codes in that range, but are not frame headers.
  private static func isFrameHeader(_ marker: Int) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }
}

/// The only field of EXIF that is needed (CIPA DC-008, 4.6; TIFF 6.0, section 2).
enum EXIF {
  /// The identifier at the beginning of its segment.
  static let name = "Exif\0\0"
  private static let orientationTag = 0x0112
  private static let shortType = 3

  static func orientation(in tiff: HeaderBytes) -> PixelOrientation? {
    let isBig: Bool
    switch (tiff.byte(0), tiff.byte(1)) {
    case (0x4D, 0x4D): isBig = true
    case (0x49, 0x49): isBig = false
    default: return nil
    }
    func short(_ place: Int) -> Int? { tiff.number(place, 2, isBig: isBig) }
    guard short(2) == 42, let directory = tiff.number(4, 4, isBig: isBig),
      let count = short(directory)
    else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      guard let tag = short(place) else { return nil }
      if tag == orientationTag {
        guard short(place + 2) == shortType, let value = short(place + 8) else { return nil }
        return PixelOrientation(rawValue: value)
      }
    }
    return nil
  }
}

import CGIF
import ImageLoading
import Pixels

/// The first frame of a GIF through giflib, row by row onto the canvas; later frames are not read.
enum GIFDecoding {
  /// Opened with the first picture.
  private static let library = gif_library()?.pointee

  /// What giflib reads from.
  private struct Source {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
  }

  /// What stands before a frame about how it is drawn.
  private struct GraphicControl {
    /// The index that is not drawn.
    let transparent: Int?
  }

  /// The canvas as stored; of a frame that is cut short the rows there are. A frame may hang over it, but
  /// not beyond the limits.
  static func decode(
    _ bytes: [UInt8], stored: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> DecodedImage {
    try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
      var source = Source(bytes: bytes)
      return try withUnsafeMutablePointer(to: &source) { source throws(ImageError) in
        try decode(source, stored: stored, limits: limits)
      }
    }
  }

  private static func decode(
    _ source: UnsafeMutablePointer<Source>, stored: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> DecodedImage {
    guard let gif = library else { throw broken("giflib is not installed") }
    var code: Int32 = 0
    let file = gif.DGifOpen(
      source,
      { file, out, wanted in
        guard let source = file?.pointee.UserData?.assumingMemoryBound(to: Source.self), let out
        else { return 0 }
        let part = source.pointee.bytes.dropFirst(source.pointee.place).prefix(max(0, Int(wanted)))
        let target = UnsafeMutableBufferPointer(start: out, count: part.count)
        let end = target.update(fromContentsOf: part)
        source.pointee.place += end
        return Int32(end)
      }, &code)
    guard let file else { throw broken(code) }
    defer { _ = gif.DGifCloseFile(file, nil) }
    var transparent: Int?
    while true {
      var kind = UNDEFINED_RECORD_TYPE
      guard gif.DGifGetRecordType(file, &kind) == GIF_OK else { throw broken(file.pointee.Error) }
      switch kind {
      case EXTENSION_RECORD_TYPE:
        if let found = try readExtension(file, gif) { transparent = found.transparent }
      case IMAGE_DESC_RECORD_TYPE:
        return try readFrame(file, gif, stored: stored, limits: limits, transparent: transparent)
      case TERMINATE_RECORD_TYPE:
        throw broken("it has no frame")
      default:
        continue
      }
    }
  }

  /// What a graphic control extension says (GIF89a, 23); nil for any other.
  private static func readExtension(
    _ file: UnsafeMutablePointer<GifFileType>, _ gif: GIFFunctions
  ) throws(ImageError) -> GraphicControl? {
    var function: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard gif.DGifGetExtension(file, &function, &block) == GIF_OK else {
      throw broken(file.pointee.Error)
    }
    var found: GraphicControl?
    while let bytes = block {
      if function == GRAPHICS_EXT_FUNC_CODE, bytes[0] >= 4 {
        found = GraphicControl(transparent: bytes[1] & 1 == 1 ? Int(bytes[4]) : nil)
      }
      guard gif.DGifGetExtensionNext(file, &block) == GIF_OK else {
        throw broken(file.pointee.Error)
      }
    }
    return found
  }

  private static func readFrame(
    _ file: UnsafeMutablePointer<GifFileType>, _ gif: GIFFunctions, stored: PixelSize,
    limits: ImageLimits, transparent: Int?
  ) throws(ImageError) -> DecodedImage {
    guard gif.DGifGetImageDesc(file) == GIF_OK else { throw broken(file.pointee.Error) }
    let frame = file.pointee.Image
    let width = Int(frame.Width)
    let height = Int(frame.Height)
    guard width > 0, height > 0 else { throw broken("a frame of no size") }
    let size = PixelSize(width: width, height: height)
    guard limits.allow(size) else { throw .tooManyPixels(size, limits: limits) }
    guard let map = frame.ColorMap ?? file.pointee.SColorMap, let colors = map.pointee.Colors else {
      throw broken("it has no colours")
    }
    let colorCount = Int(map.pointee.ColorCount)
    var line = [GifPixelType](repeating: 0, count: width)
    var canvas = [UInt8](repeating: 0, count: stored.width * stored.height * 4)
    let visible = min(width, stored.width - Int(frame.Left))
    var isComplete = true
    for row in GIFRows(height: height, isInterlaced: frame.Interlace) {
      guard gif.DGifGetLine(file, &line, Int32(width)) == GIF_OK else {
        let code = file.pointee.Error
        guard code == D_GIF_ERR_READ_FAILED || code == D_GIF_ERR_EOF_TOO_SOON else {
          throw broken(code)
        }
        isComplete = false
        break
      }
      let y = Int(frame.Top) + row
      guard y < stored.height, visible > 0 else { continue }
      var place = (y * stored.width + Int(frame.Left)) * 4
      for x in 0..<visible {
        let index = Int(line[x])
        if index != transparent, index < colorCount {
          canvas[place] = colors[index].Red
          canvas[place + 1] = colors[index].Green
          canvas[place + 2] = colors[index].Blue
          canvas[place + 3] = 255
        }
        place += 4
      }
    }
    return DecodedImage(
      pixels: PixelBuffer(size: stored, bytes: canvas), isComplete: isComplete)
  }

  private static func broken(_ reason: String) -> ImageError {
    .corrupted(format: .gif, reason: reason)
  }

  private static func broken(_ code: Int32) -> ImageError {
    guard let text = library?.GifErrorString(code) else { return broken("it cannot be decoded") }
    return broken(String(cString: text))
  }
}

/// The rows of a frame in the order in which they are stored (GIF89a, appendix E).
struct GIFRows: Sequence, IteratorProtocol {
  private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

  private let height: Int
  private var pass: Int
  private var row = 0
  private let isInterlaced: Bool

  init(height: Int, isInterlaced: Bool) {
    self.height = height
    self.isInterlaced = isInterlaced
    self.pass = 0
  }

  mutating func next() -> Int? {
    guard isInterlaced else {
      defer { row += 1 }
      return row < height ? row : nil
    }
    while row >= height {
      pass += 1
      guard pass < Self.passes.count else { return nil }
      row = Self.passes[pass].0
    }
    defer { row += Self.passes[pass].1 }
    return row
  }
}

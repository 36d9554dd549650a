import CWebP
import ImageLoading
import Pixels

/// WebP through libwebp, scaled down while it is decoded.
enum WebPDecoding {
  /// Opened with the first picture.
  private static let library = webp_library()?.pointee

  /// The picture at `target`, or as stored where it is an animation whose first frame does not
  /// cover the canvas.
  static func decode(
    _ bytes: [UInt8], stored: PixelSize, target: PixelSize
  ) throws(ImageError) -> DecodedImage {
    guard let frame = try WebPFrame.first(in: bytes, canvas: stored) else {
      return try decodeStill(bytes, stored: stored, target: target)
    }
    if frame.size == stored {
      return try decodeStill(frame.file, stored: stored, target: target)
    }
    let still = try decodeStill(frame.file, stored: frame.size, target: frame.size)
    var canvas = [UInt8](repeating: 0, count: stored.width * stored.height * 4)
    let rowLength = frame.size.width * 4
    for row in 0..<frame.size.height {
      let start = ((frame.y + row) * stored.width + frame.x) * 4
      let source = still.pixels.bytes[row * rowLength..<(row + 1) * rowLength]
      canvas.replaceSubrange(start..<start + rowLength, with: source)
    }
    return DecodedImage(
      pixels: PixelBuffer(size: stored, bytes: canvas), isComplete: still.isComplete)
  }

  private static func decodeStill(
    _ bytes: [UInt8], stored: PixelSize, target: PixelSize
  ) throws(ImageError) -> DecodedImage {
    guard let webp = library else { throw broken("libwebp is not installed") }
    var config = WebPDecoderConfig()
    let version = WEBP_DECODER_ABI_VERSION
    guard webp.WebPInitDecoderConfigInternal(&config, version) != 0 else {
      throw broken("the library is of another version")
    }
    guard
      webp.WebPGetFeaturesInternal(bytes, bytes.count, &config.input, version) == VP8_STATUS_OK,
      Int(config.input.width) == stored.width, Int(config.input.height) == stored.height
    else { throw broken("its size is contradictory") }
    if target != stored {
      config.options.use_scaling = 1
      config.options.scaled_width = Int32(target.width)
      config.options.scaled_height = Int32(target.height)
    }
    let count = target.width * target.height * 4
    var status = VP8_STATUS_INVALID_PARAM
    // Rows that do not come stay transparent.
    var pixels = [UInt8](repeating: 0, count: count)
    pixels.withUnsafeMutableBufferPointer { out in
      config.output.colorspace = MODE_RGBA
      config.output.is_external_memory = 1
      config.output.u.RGBA.rgba = out.baseAddress
      config.output.u.RGBA.stride = Int32(target.width * 4)
      config.output.u.RGBA.size = count
      status = webp.WebPDecode(bytes, bytes.count, &config)
      if isShort(status) { status = decodeRows(of: bytes, &config, webp) }
    }
    webp.WebPFreeDecBuffer(&config.output)
    guard status == VP8_STATUS_OK || isShort(status) else { throw broken(reason(of: status)) }
    return DecodedImage(
      pixels: PixelBuffer(size: target, bytes: pixels), isComplete: status == VP8_STATUS_OK)
  }

  private static func isShort(_ status: VP8StatusCode) -> Bool {
    status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED
  }

  /// Decodes as far as the bytes reach, which the library does only for what comes in pieces.
  private static func decodeRows(
    of bytes: [UInt8], _ config: inout WebPDecoderConfig, _ webp: WebPFunctions
  ) -> VP8StatusCode {
    guard let pieces = webp.WebPIDecode(nil, 0, &config) else { return VP8_STATUS_OUT_OF_MEMORY }
    defer { webp.WebPIDelete(pieces) }
    return webp.WebPIAppend(pieces, bytes, bytes.count)
  }

  private static func broken(_ reason: String) -> ImageError {
    .corrupted(format: .webp, reason: reason)
  }

  private static func reason(of status: VP8StatusCode) -> String {
    switch status {
    case VP8_STATUS_OUT_OF_MEMORY: "out of memory"
    case VP8_STATUS_UNSUPPORTED_FEATURE: "it uses an unknown feature"
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: "it ends early"
    default: "its data is damaged"
    }
  }
}

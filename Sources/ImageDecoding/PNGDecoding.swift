import CPNG
import ImageLoading
import Pixels

/// PNG through libpng's simplified API, which turns every kind of it into 8-bit RGBA.
enum PNGDecoding {
  /// Opened with the first picture.
  private static let library = png_library()?.pointee

  /// The picture as stored; of one that is cut short the rows there are.
  static func decode(_ bytes: [UInt8], stored: PixelSize) throws(ImageError) -> DecodedImage {
    let image = try decodeRows(of: bytes, stored: stored, isRepaired: false)
    guard !image.isComplete, let completed = PNGRepair.completed(bytes) else { return image }
    return try decodeRows(of: completed, stored: stored, isRepaired: true)
  }

  /// - Parameter isRepaired: whether it has an end that is not its own, so that data are missing.
  private static func decodeRows(
    of bytes: [UInt8], stored: PixelSize, isRepaired: Bool
  ) throws(ImageError) -> DecodedImage {
    guard let png = library else { throw broken("libpng is not installed") }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png.png_image_free(&image) }
    // The library keeps the pointer from the first call to the second.
    return try bytes.withUnsafeBufferPointer { source throws(ImageError) in
      guard
        png.png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0
      else {
        throw broken(message(of: image))
      }
      guard Int(image.width) == stored.width, Int(image.height) == stored.height else {
        throw broken("its size is contradictory")
      }
      image.format = tideline_png_format_rgba()
      // 16-bit pictures without a gamma are meant like 8-bit ones, not as linear light.
      image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      let count = stored.width * stored.height * 4
      // Rows that do not come stay transparent.
      var pixels = [UInt8](repeating: 0, count: count)
      let isDone = png.png_image_finish_read(&image, nil, &pixels, 0, nil) != 0
      let message = isDone ? "" : message(of: image)
      guard isDone || isRepaired || message.contains(endMessage) else { throw broken(message) }
      return DecodedImage(
        pixels: PixelBuffer(size: stored, bytes: pixels), isComplete: isDone && !isRepaired)
    }
  }

  /// What libpng says where the bytes end.
  private static let endMessage = "read beyond end of data"

  private static func broken(_ reason: String) -> ImageError {
    .corrupted(format: .png, reason: reason)
  }

  private static func message(of image: png_image) -> String {
    withUnsafeBytes(of: image.message) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

import CPNG
import ImageLoading
import Pixels

/// PNG through libpng's simplified API, which turns every kind of it into 8-bit RGBA.
enum PNGDecoding {
  /// Opened with the first picture.
  private static let library = png_library()?.pointee

  /// The picture as stored.
  static func decode(_ bytes: [UInt8], stored: PixelSize) throws(ImageError) -> PixelBuffer {
    guard let png = library else { throw broken("libpng is not installed") }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png.png_image_free(&image) }
    // The library keeps the pointer from the first call to the second.
    let pixels = try bytes.withUnsafeBufferPointer { source throws(ImageError) in
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
      var isDone = false
      let pixels = [UInt8](unsafeUninitializedCapacity: count) { out, written in
        isDone = png.png_image_finish_read(&image, nil, out.baseAddress, 0, nil) != 0
        written = isDone ? count : 0
      }
      guard isDone else { throw broken(message(of: image)) }
      return pixels
    }
    return PixelBuffer(size: stored, bytes: pixels)
  }

  private static func broken(_ reason: String) -> ImageError {
    .corrupted(format: .png, reason: reason)
  }

  private static func message(of image: png_image) -> String {
    withUnsafeBytes(of: image.message) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

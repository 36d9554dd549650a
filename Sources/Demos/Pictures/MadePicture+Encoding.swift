import CPNG
import CTurboJPEG
import DemoContent

extension MadePicture {
  private static let libpng = png_library()?.pointee
  private static let turboJPEG = turbojpeg_library()?.pointee

  /// The picture as a file.
  ///
  /// - Throws: ``MadePictureError`` with the codec's own words.
  func encoded() throws(MadePictureError) -> DemoContent.Picture {
    switch encoding {
    case .png: DemoContent.Picture(bytes: try png(), mediaType: "image/png")
    case .jpeg: DemoContent.Picture(bytes: try jpeg(), mediaType: "image/jpeg")
    }
  }

  private func failure(_ reason: String) -> MadePictureError {
    MadePictureError(width: width, height: height, reason: reason)
  }

  /// libpng's simplified interface reports errors in the image instead of jumping.
  private func png() throws(MadePictureError) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    let pixels = pixels()
    // The largest that compression could make of it: enough for the one call that writes.
    var count = png_alloc_size_t(pixels.count + pixels.count / 100 + height + 4096)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard let libpng = Self.libpng else { throw failure("libpng is not installed") }
    guard libpng.png_image_write_to_memory(&image, &bytes, &count, 0, pixels, 0, nil) != 0 else {
      throw failure(
        withUnsafeBytes(of: image.message) { message in
          String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return Array(bytes.prefix(Int(count)))
  }

  private func jpeg() throws(MadePictureError) -> [UInt8] {
    guard let jpeg = Self.turboJPEG else { throw failure("libturbojpeg is not installed") }
    guard let compressor = jpeg.tjInitCompress() else { throw failure("no memory") }
    defer { _ = jpeg.tjDestroy(compressor) }
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { jpeg.tjFree(file) }
    let code = jpeg.tjCompress2(
      compressor, pixels(), Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &file,
      &count, Int32(TJSAMP_420.rawValue), 85, 0)
    guard code == 0, let file else {
      let reason = jpeg.tjGetErrorStr2(compressor).map { String(cString: $0) }
      throw failure(reason ?? "no reason")
    }
    return Array(UnsafeBufferPointer(start: file, count: Int(count)))
  }
}

/// A picture of this size could not be encoded; what the codec says.
struct MadePictureError: Error, CustomStringConvertible {
  let width: Int
  let height: Int
  let reason: String

  var description: String { "a demo picture of \(width)x\(height) cannot be encoded: \(reason)" }
}

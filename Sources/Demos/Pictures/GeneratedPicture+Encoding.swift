import CTurboJPEG
import DemoContent

extension GeneratedPicture {
  private static let turboJPEG = turbojpeg_library()?.pointee

  /// The picture as a JPEG file.
  ///
  /// - Throws: ``GeneratedPictureError`` if the codec is missing or fails.
  func encoded() throws(GeneratedPictureError) -> DemoContent.Picture {
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
    let bytes = Array(UnsafeBufferPointer(start: file, count: Int(count)))
    return DemoContent.Picture(bytes: bytes, mediaType: "image/jpeg")
  }

  private func failure(_ reason: String) -> GeneratedPictureError {
    GeneratedPictureError(width: width, height: height, reason: reason)
  }
}

/// A picture of this size could not be encoded; `reason` is usually the codec's message.
struct GeneratedPictureError: Error, CustomStringConvertible {
  let width: Int
  let height: Int
  let reason: String

  var description: String { "a demo picture of \(width)x\(height) cannot be encoded: \(reason)" }
}

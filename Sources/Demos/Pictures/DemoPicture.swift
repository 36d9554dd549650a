import DemoContent
import ImageLoading
import Pixels

/// A picture that ``DemoTransport`` serves, by its path:
///
/// - `/pictures/NAME`: a bundled picture.
/// - `/generated/WIDTHxHEIGHT/SEED.jpeg`: a picture generated on request, at most
///   ``GeneratedPicture/longestEdge`` pixels each way.
/// - `/flaky/WIDTHxHEIGHT/SEED.jpeg`: the same, but the first request fails.
enum DemoPicture {
  case bundled(name: String)
  case generated(GeneratedPicture, isFlaky: Bool)

  /// The path in an address of the demos' own pictures; `nil` for any other address.
  static func path(of url: String) -> String? {
    guard url.hasPrefix(DemoPictures.origin + "/") else { return nil }
    return String(url.dropFirst(DemoPictures.origin.count))
  }

  /// `nil` if `path` has none of these forms.
  init?(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    switch parts.first {
    case "pictures" where parts.count == 2:
      self = .bundled(name: parts[1])
    case "generated" where parts.count == 3, "flaky" where parts.count == 3:
      guard let picture = GeneratedPicture(size: parts[1], file: parts[2]) else { return nil }
      self = .generated(picture, isFlaky: parts[0] == "flaky")
    default:
      return nil
    }
  }

  var isFlaky: Bool {
    if case .generated(_, let isFlaky) = self { isFlaky } else { false }
  }

  /// The picture as a file; `nil` if no picture of this name is bundled.
  func file() throws -> DemoContent.Picture? {
    switch self {
    case .bundled(let name):
      guard try DemoContent.pictureNames().contains(name) else { return nil }
      return try DemoContent.picture(named: name)
    case .generated(let picture, _):
      return try picture.encoded()
    }
  }

  /// The size in pixels, from the file's header or the path; `nil` if it cannot be read.
  func size(decoder: any ImageDecoder) throws -> PixelSize? {
    switch self {
    case .bundled:
      guard let file = try file(),
        case .header(let header) = decoder.header(of: file.bytes)
      else { return nil }
      return header.size
    case .generated(let picture, _):
      return PixelSize(width: picture.width, height: picture.height)
    }
  }
}

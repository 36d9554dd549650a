import HTTP
import Pixels

/// The reason why there is no picture. `description` is one clause, to be written after the URL.
public enum ImageError: Error, Hashable, Sendable {
  /// The picture could not be fetched.
  case http(HTTPError)
  /// The `data:` URL cannot be read; the reason in a few words.
  case invalidDataURL(reason: String)
  /// There are no bytes.
  case empty
  /// The bytes are in no known format; the media type that the server gave, if any.
  case notAPicture(mediaType: String?)
  /// More pixels, or a longer side, than allowed.
  case tooManyPixels(PixelSize, limits: ImageLimits)
  /// The bytes begin like that format but cannot be decoded; the reason in a few words.
  case corrupted(format: ImageFormat, reason: String)
  /// The decoder failed or was stopped; the reason in a few words.
  case decoderFailed(reason: String)
}

extension ImageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .http(let error): error.description
    case .invalidDataURL(let reason): "not a readable data: URL: \(reason)"
    case .empty: "an empty file"
    case .notAPicture(let type?): "not a known picture format (\(type.prefix(60)))"
    case .notAPicture(nil): "not a known picture format"
    case .tooManyPixels(let size, let limits):
      "a picture of \(size.width)x\(size.height), over the limit of "
        + "\(limits.maximumPixels / 1_000_000) megapixels or \(limits.maximumSide) a side"
    case .corrupted(let format, let reason): "a broken \(format.rawValue) picture: \(reason)"
    case .decoderFailed(let reason): "its decoder failed: \(reason)"
    }
  }
}

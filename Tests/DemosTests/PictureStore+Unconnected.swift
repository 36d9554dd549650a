import HTTP
import ImageDecoding
import ImageLoading
import Pictures
import TimelineUI

extension PictureStore {
  /// A store that never loads a picture.
  static func unconnected() -> PictureStore {
    PictureStore(
      loader: ImageLoader(transport: Silence(), decoder: SystemImageDecoder()), depth: .none)
  }
}

private struct Silence: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    throw .cancelled
  }
}

import HTTP
import ImageLoading
import Pixels
import Synchronization

/// Pictures of one colour each, which their URLs name: what is drawn can be told by what was asked
/// for.
enum ColoredPicture {
  static func url(color: UInt32, size: PixelSize) -> String {
    "http://pictures.example/\(color)/\(size.width)/\(size.height)"
  }

  /// Colour, width and height.
  static func numbers(of url: String) -> [Int] { url.split(separator: "/").compactMap { Int($0) } }
}

/// A transport that answers when the test says so, in any order.
final class ColoredTransport: HTTPTransport {
  private typealias Waiter = CheckedContinuation<Result<[UInt8], HTTPError>, Never>
  private struct State {
    var waiting: [(id: Int, url: String, waiter: Waiter)] = []
    var nextID = 0
    var cancelled: Set<Int> = []
  }

  private final class Body: HTTPBodySource {
    private let bytes: Mutex<[UInt8]?>
    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }
    func next() async throws(HTTPError) -> [UInt8]? {
      bytes.withLock { bytes in
        defer { bytes = nil }
        return bytes
      }
    }
    func cancel() {}
  }

  private let state = Mutex(State())

  /// URLs that wait for their answer, in an order of their own.
  var waiting: [String] { state.withLock { $0.waiting.map(\.url).sorted() } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    let url = request.url
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let result: Result<[UInt8], HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard state.cancelled.remove(id) == nil else { return true }
          state.waiting.append((id, url, continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled)) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).waiter
      }
      waiter?.resume(returning: .failure(.cancelled))
    }
    let bytes = try result.get()
    return (HTTPResponse(status: 200, headers: [:], url: url), HTTPBody(Body(bytes)))
  }

  /// Answers one request for `url`: with its picture, or not at all.
  func answer(_ url: String, fails: Bool) { answer(url, fails ? .status(404) : nil) }

  /// Answers one request for `url`: with its picture, or with an error.
  func answer(_ url: String, _ error: HTTPError?) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiting.firstIndex(where: { $0.url == url }) else { return nil }
      return state.waiting.remove(at: index).waiter
    }
    waiter?.resume(returning: error.map { .failure($0) } ?? .success(Array(url.utf8)))
  }
}

/// Reads the colour and the size that a URL names.
struct ColoredDecoder: ImageDecoder {
  func header(of prefix: [UInt8]) -> ImageHeaderResult {
    let numbers = ColoredPicture.numbers(of: String(decoding: prefix, as: UTF8.self))
    guard numbers.count == 3 else { return .unknownFormat }
    return .header(
      ImageHeader(format: .png, size: PixelSize(width: numbers[1], height: numbers[2])))
  }

  func decode(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> PixelBuffer {
    let numbers = ColoredPicture.numbers(of: String(decoding: bytes, as: UTF8.self))
    guard numbers.count == 3 else { throw .empty }
    let color = UInt32(numbers[0])
    return PixelBuffer(
      size: PixelSize(width: min(numbers[1], 32), height: min(numbers[2], 32)),
      red: UInt8(color >> 16 & 0xFF), green: UInt8(color >> 8 & 0xFF), blue: UInt8(color & 0xFF))
  }
}

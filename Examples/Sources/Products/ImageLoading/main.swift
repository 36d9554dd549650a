import HTTPTransport
import ImageDecoding
import ImageLoading

/// A picture of one pixel; http and https addresses are loaded alike.
let url = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

let loader = ImageLoader(
  transport: CurlTransport(userAgent: "example"), decoder: SystemImageDecoder())
let (events, arrivals) = AsyncStream.makeStream(of: ImageEvent.self)
let request = loader.load(url) { arrivals.yield($0) }

for await event in events {
  switch event {
  case .size(let size): print("\(size.width)x\(size.height) pixels")
  case .image(let image): print("\(image.pixels.byteCount) bytes")
  case .failure(let error): print(error)
  }
  if case .size = event { continue }
  break
}

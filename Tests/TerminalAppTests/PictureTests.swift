import HTTP
import ImageDecoding
import ImageLoading
import Pictures
import Pixels
import TerminalApp
import TestSupport
import Testing

/// Pictures loaded into views by URL.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PictureTests {
  /// Red, four pixels by two.
  private static let red =
    "data:image/png;base64,"
    + "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAEElEQVR42mM4"
    + "ISICRwzIHABnOgeByUtopwAAAABJRU5ErkJggg=="

  private struct NoNetwork: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
      throw .cancelled
    }
  }

  private func store() -> PictureStore {
    PictureStore(
      loader: ImageLoader(transport: NoNetwork(), decoder: SystemImageDecoder()),
      depth: .trueColor)
  }

  private func until(_ condition: () -> Bool) async {
    await eventually { condition() }
  }

  @Test func loadingProvidesSizeAndCells() async {
    let view = ImageView()
    view.frame = Rect(x: 0, y: 0, width: 4, height: 1)
    view.load(Self.red, from: store())
    await until { view.image != nil }
    #expect(view.pixelSize == PixelSize(width: 4, height: 2))
    #expect(view.image?.size == Size(width: 4, height: 1))
    view.load(nil)
    #expect(view.image == nil && view.pixelSize == nil)
  }

  @Test func resizingRendersAgain() async {
    let view = ImageView()
    let store = store()
    view.load(Self.red, from: store)
    #expect(view.image == nil, "nothing is asked for before there is a frame")
    for width in [4, 9] {
      view.frame = Rect(x: 0, y: 0, width: width, height: 2)
      await until { view.image?.size.width == width }
    }
  }

  @Test func failedPicturesTakeNoRoom() async {
    let view = ImageView()
    view.frame = Rect(x: 0, y: 0, width: 4, height: 1)
    view.load("data:image/png;base64,AAAA", from: store())
    await until { view.placeholder == .failed }
    #expect(view.intrinsicHeight(forWidth: 10) == 0)
  }

  @Test func withoutATerminalNoPicturesAreShown() {
    let view = ImageView()
    let canvas = TerminalApplication.render(view, size: Size(width: 20, height: 5))
    view.load(Self.red)
    #expect(canvas.text(row: 0).allSatisfy { $0 == " " })
  }
}

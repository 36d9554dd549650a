import Feeds
import Geometry
import HTTP
import ImageLoading
import Pictures
import Pixels
import Terminal
import TerminalViews
import TestSupport
import Testing
import TextLayout

@testable import TimelineUI

/// What stands where a picture should, in a post's cell: declared sizes hold, reasons are told.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PictureFailureTests {
  private static let width = 60
  private let transport = ColoredTransport()
  private let pictures: PictureStore

  init() {
    pictures = PictureStore(
      loader: ImageLoader(transport: transport, decoder: ColoredDecoder()), depth: .trueColor)
  }

  private func cell(_ posted: Post.Picture) -> PostCell {
    var post = Post(id: "1")
    post.title = StyledText("Gauge")
    post.pictures = [posted]
    let cell = PostCell(
      PostCell.Shape(of: post, showsPictures: true),
      context: PostCell.Context(pictures: pictures, clock: .fixed(at: 0)))
    cell.picturePriority = .visible
    cell.configure(with: post, info: TimelineInfo(), screenHeight: 24)
    return cell
  }

  private func height(_ cell: PostCell) -> Int {
    let height = cell.heightThatFits(width: Self.width)
    cell.layout(width: Self.width, height: height)
    return height
  }

  private func view(_ cell: PostCell) -> ImageView {
    cell.subitems.compactMap { $0 as? ImageView }.first { $0.name == "picture 0" }
      ?? ImageView(name: "none")
  }

  private func text(_ cell: PostCell) -> String {
    var canvas = Canvas(size: Size(width: Self.width, height: height(cell)))
    cell.render(into: &canvas, origin: .zero)
    var text = ""
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width where canvas[x, y].width > 0 {
        text.unicodeScalars.append(Unicode.Scalar(canvas[x, y].scalars.0) ?? "?")
      }
      text += "\n"
    }
    return text
  }

  private func untilIdle() async {
    await eventually { pictures.loader.activity.isIdle && pictures.rendering.isEmpty }
    for _ in 0..<10 { await Task.yield() }
  }

  private func answer(_ url: String, fails: Bool) async {
    await eventually { transport.waiting.contains(url) }
    transport.answer(url, fails: fails)
    await untilIdle()
  }

  /// A picture whose source says it is 320x160; what comes is of another size.
  private func picture(
    declared: PixelSize?, actual: PixelSize, alternativeText: String = "A gauge"
  ) -> Post.Picture {
    var picture = Post.Picture(
      url: ColoredPicture.url(color: 0x40_50_60, size: actual), alternativeText: alternativeText)
    (picture.width, picture.height) = (declared?.width, declared?.height)
    return picture
  }

  @Test(arguments: [(320, 160), (100, 400), (900, 20), (1, 1)])
  func aDeclaredSizeHolds(width: Int, height actualHeight: Int) async {
    let declared = PixelSize(width: 320, height: 160)
    let posted = picture(
      declared: declared, actual: PixelSize(width: width, height: actualHeight))
    let cell = cell(posted)
    let before = height(cell)
    let frame = view(cell).frame
    #expect(frame.height > 1)
    await answer(posted.url, fails: false)
    #expect(height(cell) == before && view(cell).frame == frame)
    let shown = view(cell).image?.size ?? .zero
    #expect(shown.width <= frame.width && shown.height <= frame.height)
    // Fitted: one side is all of the box, and the other as its own proportions have it.
    #expect(shown.width == frame.width || shown.height == frame.height)
    if width == 100 { #expect(shown.width < frame.width / 4) }
    if width == 900 { #expect(shown.height == 1) }
    // Once its size is known another cell begins in the same way.
    #expect(self.height(self.cell(posted)) == before)
  }

  @Test func itHoldsWhenThePictureFails() async {
    // Too narrow for the reason, which is told all the same.
    let posted = picture(
      declared: PixelSize(width: 60, height: 160), actual: PixelSize(width: 60, height: 160))
    let cell = cell(posted)
    let before = height(cell)
    await answer(posted.url, fails: true)
    #expect(height(cell) == before)
    let told = text(cell)
    #expect(told.contains("✕ HTTP status 404 (not found)") && told.contains("A gauge"))
    #expect(!told.contains("A gauge · ✕"))
    // The row comes back: it is the same at once, and nobody is asked.
    let again = self.cell(posted)
    #expect(height(again) == before && text(again) == told)
    #expect(transport.waiting.isEmpty && pictures.loader.activity.isIdle)
  }

  @Test func withoutADeclaredSizeTheReasonFollowsTheAlternativeText() async {
    let posted = picture(declared: nil, actual: PixelSize(width: 320, height: 160))
    let cell = cell(posted)
    let before = height(cell)
    await answer(posted.url, fails: true)
    #expect(text(cell).contains("A gauge · ✕ HTTP status 404 (not found)"))
    #expect(height(cell) < before)
    let again = self.cell(posted)
    #expect(height(again) == height(cell))
  }

  @Test func tryingAgainBringsIt() async {
    let posted = picture(declared: nil, actual: PixelSize(width: 320, height: 160))
    let cell = cell(posted)
    _ = height(cell)
    #expect(!cell.retryPictures())
    await answer(posted.url, fails: true)
    #expect(cell.retryPictures())
    #expect(!text(cell).contains("✕"))
    await answer(posted.url, fails: false)
    _ = height(cell)
    await untilIdle()
    #expect(view(cell).image != nil && !cell.retryPictures())
  }

  /// Letters stand for the author while a picture that has failed is tried again, not before, and
  /// until it has come; so they do in rows that are bound meanwhile.
  @Test func initialsStandWhileAnAvatarIsTriedAgain() async {
    var configuration = ImageLoaderConfiguration()
    (configuration.retries.firstDelay, configuration.retries.longestDelay) = (3_600, 3_600)
    let store = PictureStore(
      loader: ImageLoader(
        configuration: configuration, transport: transport, decoder: ColoredDecoder()),
      depth: .trueColor)
    let url = ColoredPicture.url(color: 0x40_50_60, size: PixelSize(width: 48, height: 48))
    var post = Post(id: "1")
    post.author = Post.Author(name: "Ann Lee", handle: "@ann@x.example", avatar: url)
    post.title = StyledText("Gauge")
    func makeCell() -> PostCell {
      let cell = PostCell(
        PostCell.Shape(of: post, showsPictures: true),
        context: PostCell.Context(pictures: store, clock: .fixed(at: 0)))
      cell.picturePriority = .visible
      cell.configure(with: post, info: TimelineInfo(), screenHeight: 24)
      return cell
    }
    let cell = makeCell()
    #expect(!text(cell).contains("AL"), "letters would flash up before each picture")
    await eventually { transport.waiting.contains(url) }
    transport.answer(url, .status(503))
    await eventually { store.loader.isBeingRetried(url) }
    #expect(text(cell).contains("AL"))
    let other = makeCell()
    #expect(text(other).contains("AL"))
    store.loader.tryAgain(url)
    await eventually { transport.waiting.contains(url) }
    #expect(text(cell).contains("AL") && text(other).contains("AL"))
    transport.answer(url, nil)
    await eventually { !text(cell).contains("AL") && !text(other).contains("AL") }
  }

  /// Waves of colour stand in its place until it comes, and go when it fails.
  @Test(arguments: [true, false]) func aHashStandsForThePictureUntilItComes(fails: Bool) async {
    var posted = picture(
      declared: PixelSize(width: 320, height: 160), actual: PixelSize(width: 320, height: 160))
    posted.blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
    let cell = cell(posted)
    let before = height(cell)
    await eventually { view(cell).preview != nil }
    #expect(view(cell).image == nil && view(cell).preview?.size == view(cell).frame.size)
    await answer(posted.url, fails: fails)
    #expect(height(cell) == before)
    #expect((view(cell).image != nil) == !fails)
    #expect(fails == text(cell).contains("✕"))
    // What is no hash is no matter.
    posted.blurHash = "nonsense"
    _ = height(self.cell(posted))
    await untilIdle()
  }
}

import Feeds
import Geometry
import ImageLoading
import Pixels
import TerminalViews
import TestSupport
import Testing
import TextLayout

@testable import Pictures
@testable import TimelineUI

/// Pictures beside the text, in cells that are wide enough.
@MainActor @Suite struct SidePictureTests {
  /// Without an avatar, three columns beside the text, two before the pictures, and 32 of them.
  private static let narrowest = ReadingWidth.usual + 3 + 2 + 32

  private func cell(_ post: Post, screenHeight: Int = 30) -> PostCell {
    let pictures = PictureStore(
      loader: ImageLoader(
        configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
        decoder: ColoredDecoder()),
      depth: .trueColor)
    let cell = PostCell(
      PostCell.Shape(of: post, showsPictures: true),
      context: .init(pictures: pictures, clock: .fixed(at: 0)))
    cell.configure(with: post, info: TimelineInfo(), screenHeight: screenHeight)
    return cell
  }

  private func post(_ sentences: Int, _ pictures: [(place: Int?, height: Int?)]) -> Post {
    var post = Post(id: "1")
    post.author = Post.Author(name: "Buoy")
    post.title = StyledText("Title")
    let sentence = "The tide turns at six, and the gauge says so. "
    post.body = StyledText(
      (0..<max(1, sentences / 4)).map { _ in String(repeating: sentence, count: 4) }
        .joined(separator: "\n\n"))
    post.tags = ["pier"]
    post.pictures = pictures.enumerated().map { index, picture in
      Post.Picture(
        url: "https://pictures.example/\(index)", alternativeText: "number \(index)",
        width: picture.height.map { _ in 300 }, height: picture.height, place: picture.place)
    }
    return post
  }

  @discardableResult private func layOut(_ cell: PostCell, width: Int) -> Int {
    let height = cell.heightThatFits(width: width)
    cell.layout(width: width, height: height)
    return height
  }

  private func frames(_ cell: PostCell) -> [String: Rect] {
    let views = cell.subitems.compactMap { $0 as? View }
    return Dictionary(uniqueKeysWithValues: views.map { ($0.name, $0.frame) })
  }

  private func isPicture(_ name: String) -> Bool {
    name.hasPrefix("picture") || name.hasPrefix("caption")
  }

  @Test func theWidthDecides() throws {
    let cell = cell(post(8, [(nil, 160)]))
    let narrow = layOut(cell, width: Self.narrowest - 1)
    let stacked = frames(cell)
    #expect(try #require(stacked["picture 0"]).minY >= #require(stacked["content"]).maxY)
    let wide = layOut(cell, width: Self.narrowest)
    let beside = frames(cell)
    let (picture, content) = (try #require(beside["picture 0"]), try #require(beside["content"]))
    #expect(picture.minX >= content.maxX + 2 && picture.minY == 1 && !picture.isEmpty)
    #expect(picture.maxX < Self.narrowest && wide < narrow)
    #expect(content.width == stacked["content"]?.width)
    #expect(try #require(beside["caption 0"]).minY == picture.maxY)
    // And back, to the same frames.
    #expect(layOut(cell, width: Self.narrowest - 1) == narrow && frames(cell) == stacked)
  }

  /// The row is as high as the higher of both columns.
  @Test func theHeightIsThatOfTheHigherColumn() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...2, using: &random)
      let isInText = count == 1 && Bool.random(using: &random)
      let pictures = (0..<count).map { _ in
        (
          place: isInText ? Int.random(in: 0...4, using: &random) : nil,
          height: Bool.random(using: &random) ? Int.random(in: 40...600, using: &random) : nil
        )
      }
      let cell = cell(post(Int.random(in: 1...40, using: &random), pictures))
      let width = Self.narrowest + Int.random(in: 0...30, using: &random)
      let height = layOut(cell, width: width)
      let all = frames(cell).filter { !$0.value.isEmpty }
      let lowest = all.values.map(\.maxY).max() ?? 0
      #expect(height == lowest + 1, "seed \(seed)")
      let texts = all.filter { !isPicture($0.key) && $0.value.minY > 0 }
      for (name, frame) in all where isPicture(name) {
        #expect(frame.minX >= ReadingWidth.usual + 2 && frame.maxX < width, "seed \(seed) \(name)")
        #expect(texts.allSatisfy { $0.value.maxX <= frame.minX }, "seed \(seed) \(name)")
        #expect(!name.hasPrefix("picture") || frame.height <= 10, "seed \(seed) \(name)")
      }
      // No two parts of a column overlap.
      for column in [all.filter { isPicture($0.key) }, texts] {
        let sorted = column.values.sorted { $0.minY < $1.minY }
        for (above, below) in zip(sorted, sorted.dropFirst()) {
          #expect(above.maxY <= below.minY, "seed \(seed)")
        }
      }
    }
  }

  /// A picture that arrives moves no text, and no picture above it.
  @Test func anArrivalMovesOnlyPicturesBelow() throws {
    let cell = cell(post(4, [(nil, nil), (nil, nil)]))
    let before = layOut(cell, width: Self.narrowest + 10)
    let old = frames(cell)
    for (number, moved) in [(1, ["caption 1"]), (0, ["caption 0", "picture 1", "caption 1"])] {
      let name = "picture \(number)"
      let view = cell.subitems.compactMap { $0 as? ImageView }.first { $0.name == name }
      try #require(view).pixelSize = PixelSize(width: 300, height: 500)
      let earlier = frames(cell)
      let after = layOut(cell, width: Self.narrowest + 10)
      let new = frames(cell)
      #expect(after > before && new[name]?.origin == old[name]?.origin)
      for (other, frame) in earlier where other != name {
        #expect((new[other] == frame) != moved.contains(other), "\(name): \(other)")
      }
    }
  }

  /// Where the text has them stand several pictures in it, and one with a caption there.
  @Test func placesInTheTextAreKept() throws {
    for count in [2, 3] {
      let cell = cell(post(12, (0..<count).map { (place: $0, height: 200) }))
      layOut(cell, width: 200)
      let content = try #require(frames(cell)["content 1"])
      #expect(try #require(frames(cell)["picture 0"]).maxY <= content.minY)
    }
    var figure = post(4, [(0, 200)])
    var body = StyledText()
    var style = StyledText.ParagraphStyle()
    style.spacingBefore = 0
    body.beginParagraph(style)
    body.append("Seen from the sea", style: TextStyle(role: .secondary))
    figure.body = body
    let cell = cell(figure)
    layOut(cell, width: 200)
    #expect(frames(cell)["content 1"]?.minY == frames(cell)["caption 0"]?.maxY)
  }

  /// What stays in place at a line is the text there; below the text, the picture.
  @Test func placesAreThoseOfTheText() throws {
    let cell = cell(post(4, [(nil, 600)]))
    let height = layOut(cell, width: Self.narrowest)
    let footer = try #require(frames(cell)["footer"])
    let providers = cell.placeProviders
    for line in 0..<height - 1 {
      let place = cell.place(atLine: line)
      #expect(cell.line(of: place) == line, "line \(line)")
      let name = place.part == 0 ? "" : providers[Int(place.part.magnitude) - 1].name
      #expect(isPicture(name) == (line >= footer.maxY), "line \(line): \(name)")
    }
  }

  /// Three attached pictures and more stand in tiles below the text at every width.
  @Test func tilesStayBelow() throws {
    let cell = cell(post(4, [(nil, 200), (nil, 200), (nil, 200)]))
    layOut(cell, width: 200)
    let all = frames(cell)
    let content = try #require(all["content"])
    #expect((0..<3).allSatisfy { (all["picture \($0)"]?.minY ?? 0) >= content.maxY })
  }
}

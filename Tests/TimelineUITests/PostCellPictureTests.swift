import Feeds
import Geometry
import ImageLoading
import Pixels
import Terminal
import TerminalViews
import Testing
import TextLayout

@testable import Pictures
@testable import TimelineUI

/// Where a post's pictures stand among its texts, and what stands for those that are not shown.
@MainActor @Suite struct PostCellPictureTests {
  private static let size = PixelSize(width: 80, height: 80)

  private func cell(
    _ post: Post, depth: ColorDepth = .trueColor, isRevealed: Bool = false
  ) -> PostCell {
    let pictures = PictureStore(
      loader: ImageLoader(
        configuration: ImageLoaderConfiguration(), transport: ColoredTransport(),
        decoder: ColoredDecoder()),
      depth: depth)
    let cell = PostCell(
      PostCell.Shape(of: post, showsPictures: pictures.showsPictures),
      context: .init(pictures: pictures, clock: .fixed(at: 0)))
    cell.configure(with: post, info: TimelineInfo(), screenHeight: 30, isRevealed: isRevealed)
    return cell
  }

  /// The cell's lines from the top; a picture's are `name of the view`.
  private func lines(_ cell: PostCell, width: Int = 60) -> [String] {
    let height = cell.heightThatFits(width: width)
    cell.layout(width: width, height: height)
    var canvas = Canvas(size: Size(width: width, height: height))
    cell.render(into: &canvas, origin: .zero)
    let pictures = cell.subitems.compactMap { $0 as? ImageView }.filter { $0.name != "icon" }
    return (0..<height).map { y in
      if let picture = pictures.first(where: { $0.frame.minY..<$0.frame.maxY ~= y }) {
        return picture.name
      }
      var line = ""
      for x in 0..<width where canvas[x, y].width > 0 {
        line.unicodeScalars.append(Unicode.Scalar(canvas[x, y].scalars.0) ?? "?")
      }
      let text = line.drop { $0 == " " }
      // The line at the post's end stands on a line that is else empty.
      if y == height - 1, text.allSatisfy({ $0 == "─" || $0 == " " }) { return "" }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func picture(_ color: UInt32, _ words: String = "", at place: Int?) -> Post.Picture {
    Post.Picture(
      url: ColoredPicture.url(color: color, size: Self.size), alternativeText: words, width: 80,
      height: 40, place: place)
  }

  private func post(_ paragraphs: [String], _ pictures: [Post.Picture]) -> Post {
    var post = Post(id: "1")
    post.author = Post.Author(name: "Buoy")
    post.body = StyledText(paragraphs.joined(separator: "\n\n"))
    post.pictures = pictures
    return post
  }

  private func shown(_ number: Int) -> [String] {
    Array(repeating: "picture \(number)", count: 3)
  }

  @Test func aPictureStandsWhereTheTextHasIt() {
    let both = post(["One.", "Two.", "Three."], [picture(1, "A pier", at: 1), picture(2, at: 2)])
    #expect(
      lines(cell(both))
        == ["Buoy", "One.", ""] + shown(0) + ["A pier", "", "Two.", ""] + shown(1)
        + ["", "Three.", ""])
    let around = post(["One."], [picture(1, at: 0), picture(2, at: 1)])
    #expect(
      lines(cell(around)) == ["Buoy", ""] + shown(0) + ["", "One.", ""] + shown(1) + [""])
    let neighbours = post(["One.", "Two."], [picture(1, at: 1), picture(2, at: 1)])
    #expect(
      lines(cell(neighbours))
        == ["Buoy", "One.", ""] + shown(0) + [""] + shown(1) + ["", "Two.", ""])
  }

  @Test func whatIsAttachedStandsBelow() {
    var mixed = post(["One.", "Two."], [picture(1, at: 1), picture(2, "A buoy", at: nil)])
    mixed.tags = ["pier"]
    #expect(
      lines(cell(mixed))
        == ["Buoy", "One.", ""] + shown(0) + ["", "Two.", ""] + shown(1)
        + ["A buoy", "", "#pier", ""])
  }

  @Test func placesPastTheTextAreItsEnd() {
    let odd = post(["One."], [picture(1, at: 7), picture(2, at: -3)])
    #expect(
      lines(cell(odd)) == ["Buoy", "One.", ""] + shown(0) + [""] + shown(1) + [""])
  }

  @Test func aCaptionHangsFromItsPicture() {
    var figure = post([], [picture(1, "The pier", at: 0), picture(2, "A buoy", at: 1)])
    var style = StyledText.ParagraphStyle()
    style.spacingBefore = 0
    for caption in ["The pier", "Seen from the sea"] {
      figure.body.beginParagraph(style)
      figure.body.append(caption, style: TextStyle(role: .secondary))
    }
    figure.body.beginParagraph()
    figure.body.append("Words.")
    // Words that the caption repeats are shown once.
    #expect(
      lines(cell(figure))
        == ["Buoy", ""] + shown(0) + ["The pier", ""] + shown(1)
        + ["A buoy", "Seen from the sea", "", "Words.", ""])
  }

  @Test func picturesThatAreNotShownAreNamedInTheirPlace() {
    let both = post(
      ["One.", "Two."],
      [picture(1, "A pier", at: 1), picture(2, "A buoy", at: 1), picture(3, "A ferry", at: nil)])
    #expect(
      lines(cell(both, depth: .ansi16))
        == ["Buoy", "One.", "", "▣ A pier", "▣ A buoy", "", "Two.", "", "▣ A ferry", ""])
    let many = post(
      ["One.", "Two."], (0..<10).map { picture(UInt32($0), "Number \($0)", at: $0 < 9 ? 0 : 1) })
    let all = lines(cell(many))
    #expect(
      all.suffix(8)
        == ["Number 7", "", "▣ Number 8", "", "One.", "", "▣ Number 9", "", "Two.", ""].suffix(8))
    #expect(all.contains("▣ Number 8") && !all.contains("▣ Number 7"))
  }

  @Test func aQuoteNamesItsPicturesInTheirPlace() {
    var quoting = post(["Words."], [])
    quoting.quotes = [
      post(["One.", "Two."], [picture(1, "A pier", at: 1), picture(2, "A buoy", at: nil)])
    ]
    #expect(
      lines(cell(quoting)) == [
        "Buoy", "Words.", "", "▎ Buoy", "▎ One.", "▎", "▎ ▣ A pier", "▎", "▎ Two.", "▎ ▣ A buoy",
        "",
      ])
  }

  @Test func textsKeepTheirPlacesWhilePicturesAreHidden() {
    var sensitive = post(["One.", "Two."], [picture(1, "A pier", at: 1)])
    sensitive.isSensitive = true
    let hidden = cell(sensitive)
    #expect(
      lines(hidden) == ["Buoy", "⚠ sensitive · x shows it", "One.", "", "Two.", ""])
    let place = hidden.place(atLine: 4)
    let shown = cell(sensitive, isRevealed: true)
    let all = lines(shown)
    #expect(
      Array(all.dropFirst(2)) == ["One.", ""] + self.shown(0) + ["A pier", "", "Two.", ""])
    #expect(all[shown.line(of: place)] == "Two.")
  }

  /// The reader stays inside the third text whatever becomes of the pictures above it.
  @Test func aPlaceInATextSurvivesWhatHappensAboveIt() {
    var long = post(
      ["One.", "Two.", (0..<40).map { "word\($0)" }.joined(separator: " ")],
      [picture(1, at: 1), picture(2, at: 2)])
    long.pictures[0].width = nil
    let cell = cell(long)
    let before = lines(cell, width: 30)
    let line = before.count - 3
    let place = cell.place(atLine: line)
    let first = before[line].split(separator: " ").first ?? ""
    let pictures = cell.subitems.compactMap { $0 as? ImageView }.filter { $0.name != "icon" }
    pictures[0].pixelSize = PixelSize(width: 400, height: 400)
    pictures[1].placeholder = .failed
    for width in [30, 44, 70, 30] {
      let after = lines(cell, width: width)
      #expect(after[cell.line(of: place)].split(separator: " ").contains(first), "\(width)")
    }
  }

  /// Four that are attached: two in a row, and below one another where there is little room.
  @Test func moreThanTwoThatAreAttachedStandSideBySide() throws {
    var album = post(["One."], (0..<4).map { picture(UInt32($0), "Number \($0)", at: nil) })
    album.pictures[1].height = 80
    album.tags = ["album"]
    let cell = cell(album)
    let wide = lines(cell, width: 80)
    #expect(wide.prefix(3) == ["Buoy", "One.", ""])
    let pictures = cell.subitems.compactMap { $0 as? ImageView }.filter { $0.name != "icon" }
    let frames = pictures.map(\.frame)
    try #require(frames.map(\.minY) == [3, 3, 10, 10])
    #expect(frames[0].minX == 2 && frames[2].minX == 2)
    #expect(frames[1].minX == frames[3].minX && frames[1].minX == 42)
    #expect(frames.map(\.height) == [3, 5, 3, 3])
    let lowerCaptions = "Number 2" + String(repeating: " ", count: 32) + "Number 3"
    #expect(wide.suffix(4) == [lowerCaptions, "", "#album", ""])
    // Places hold whatever the width is.
    let place = cell.place(atLine: frames[2].minY + 1)
    let besideCaption = cell.place(atLine: frames[1].maxY - 1)
    let narrow = lines(cell, width: 36)
    #expect(
      narrow
        == ["Buoy", "One.", ""] + shown(0) + ["Number 0", ""]
        + Array(repeating: "picture 1", count: 5) + ["Number 1", ""] + shown(2)
        + ["Number 2", ""] + shown(3) + ["Number 3", "", "#album", ""])
    #expect(narrow[cell.line(of: place)] == "picture 2")
    #expect(cell.line(of: besideCaption) == pictures[1].frame.maxY - 1)
    #expect(lines(cell, width: 80) == wide)
  }

  @Test func anOddTileStandsAloneAndWhatIsMissingTakesNoRoom() {
    var album = post(["One."], (0..<3).map { picture(UInt32($0), "Number \($0)", at: nil) })
    album.isSensitive = true
    #expect(
      lines(cell(album), width: 80)
        == ["Buoy", "⚠ sensitive: 3 pictures · x shows it", "One.", ""])
    let shown = cell(album, isRevealed: true)
    let all = lines(shown, width: 80)
    #expect(all.suffix(6) == ["", "picture 2", "picture 2", "picture 2", "Number 2", ""])
    let pictures = shown.subitems.compactMap { $0 as? ImageView }.filter { $0.name != "icon" }
    // Of a declared size, they would keep their place.
    #expect(pictures.allSatisfy { $0.keepsSizeOnFailure })
    for index in [0, 2] {
      pictures[index].keepsSizeOnFailure = false
      pictures[index].placeholder = .failed
    }
    let failed = lines(shown, width: 80)
    #expect(failed.suffix(3) == ["", "Number 2", ""])
    #expect(pictures[1].frame.height == 3)
  }

  @Test func thereAreFewKindsOfCells() {
    let shapes = PostCell.Shape.all
    for placed in 0...12 {
      for attached in 0...12 {
        let pictures = (0..<(placed + attached)).map {
          picture(UInt32($0), at: $0 < placed ? 0 : nil)
        }
        let post = post(["One."], pictures)
        #expect(PostCell.Shape(of: post, showsPictures: false).pictureCount == 0)
        #expect(shapes.contains(PostCell.Shape(of: post, showsPictures: true)))
      }
    }
    // As many as there may be pictures, below a text and among texts, and more than two behind
    // those.
    let most = Post.maximumPictures
    #expect(shapes.count == 1 + 2 * most + (most - 3) * (most - 2) / 2)
    #expect(Set(shapes.map(\.reuseIdentifier)).count == shapes.count)
  }

  /// One in the text, three behind it: the text stands around the one, the three are tiles.
  @Test func thoseBehindATextWithPicturesStandSideBySide() {
    var pictures = [picture(0, "In the text", at: 1)]
    pictures += (1..<4).map { picture(UInt32($0), "Number \($0)", at: nil) }
    let cell = cell(post(["One.", "Two."], pictures))
    let wide = lines(cell, width: 80)
    let expected: [String] = ["Buoy", "One.", ""] + shown(0) + ["In the text", ""]
    #expect(Array(wide.prefix(expected.count)) == expected)
    let frames = cell.subitems.compactMap { $0 as? ImageView }.filter { $0.name != "icon" }
      .map(\.frame)
    #expect(frames[1].minY == frames[2].minY && frames[1].maxX < frames[2].minX)
    #expect(frames[3].minY > frames[1].maxY && frames[3].minX == frames[1].minX)
    #expect(wide.suffix(2) == ["Number 3", ""])
    let narrow = lines(cell, width: 36)
    #expect(
      narrow == ["Buoy", "One.", ""] + shown(0) + ["In the text", "", "Two.", ""] + shown(1)
        + ["Number 1", ""] + shown(2) + ["Number 2", ""] + shown(3) + ["Number 3", ""])
    #expect(lines(cell, width: 80) == wide)
  }
}

import FoundationEssentials
import Geometry
import Pixels
import Testing

@testable import Terminal

@Suite struct PictureRendererTests {
  private let red = PixelBuffer(
    size: PixelSize(width: 32, height: 32), red: 200, green: 10, blue: 10)
  private let cell = PixelSize(width: 8, height: 16)
  private let size = Size(width: 6, height: 3)
  /// The ways in which a terminal draws pictures in pixels.
  private static let pixelModes = PictureMode.allCases.filter {
    $0.painter?.cellSize(on: TerminalCapabilities()) != nil
  }

  @Test func symbolsComeFromTheRasterizer() async {
    let renderer = PictureRenderer(method: .symbols(.trueColor))
    let picture = await renderer.picture(of: red, size: size, mask: .circle)
    let cells = SymbolRasterizer.canvas(for: red, size: size, style: .trueColor, mask: .circle)
    #expect(picture.cells.cells == cells.cells)
    #expect(renderer.shelf.isEmpty)
  }

  @Test func methodNoneIsBlank() async {
    let picture = await PictureRenderer(method: .none).picture(of: red, size: size)
    #expect(picture.cells.cells.allSatisfy { $0 == CanvasCell() })
    #expect(picture.size == size)
  }

  @Test(arguments: pixelModes) func cellsNameTheirParts(mode: PictureMode) async {
    let renderer = PictureRenderer(method: PictureMethod(mode, cell: cell, symbols: .trueColor))
    let picture = await renderer.picture(of: red, size: size)
    let id = picture.cells[0, 0].picture?.id
    for y in 0..<3 {
      for x in 0..<6 {
        let part = picture.cells[x, y].picture
        #expect(part?.row == y)
        #expect(part?.column == x)
        #expect(part?.id == id)
      }
      #expect(picture.cells.text(row: y) == String(repeating: "\u{A0}", count: 6))
    }
    let other = await renderer.picture(of: red, size: size)
    #expect(other.cells[0, 0].picture?.id != id)
  }

  @Test func textIsNoPicture() {
    var canvas = Canvas(size: Size(width: 8, height: 1))
    canvas.draw("\u{A0}a\u{10EEEE}\u{305}\u{305}", at: .zero)
    #expect(!canvas.cells.contains { $0.isPicture })
  }

  @Test func graphicsLiveAsLongAsThePicture() async {
    let renderer = PictureRenderer(method: PictureMethod(.kitty, cell: cell, symbols: .trueColor))
    var picture: Picture? = await renderer.picture(of: red, size: size)
    let id = picture?.cells[0, 0].picture?.id ?? 0
    let copy = picture
    #expect(renderer.shelf.graphic(id) != nil)
    picture = nil
    #expect(renderer.shelf.graphic(id) != nil)
    withExtendedLifetime(copy) {}
    let gone = await dropped(of: renderer)
    #expect(renderer.shelf.graphic(gone) == nil)
    #expect(renderer.shelf.takeReleasedIDs().contains(gone))
    #expect(renderer.shelf.takeReleasedIDs().isEmpty)
  }

  /// The id of a picture that has been released.
  private func dropped(of renderer: PictureRenderer) async -> UInt32 {
    await renderer.picture(of: red, size: size).cells[0, 0].picture?.id ?? 0
  }

  @Test func aPictureTooLargeForPlaceholdersIsSymbols() async {
    let renderer = PictureRenderer(method: PictureMethod(.kitty, cell: cell, symbols: .trueColor))
    let wide = await renderer.picture(of: red, size: Size(width: 298, height: 1))
    #expect(!wide.cells.cells.contains { $0.isPicture })
    let fits = await renderer.picture(of: red, size: Size(width: 297, height: 1))
    #expect(fits.cells.cells.allSatisfy { $0.isPicture })
  }

  /// A terminal may report any cell size, and a picture may be a line.
  @Test func aPictureOfTooManyPixelsIsSymbols() async {
    let cell = PixelSize(width: 100, height: 100)
    let renderer = PictureRenderer(method: PictureMethod(.kitty, cell: cell, symbols: .trueColor))
    let line = PixelBuffer(size: PixelSize(width: 8_000, height: 1), red: 9, green: 9, blue: 9)
    let picture = await renderer.picture(of: line, size: Size(width: 80, height: 80))
    #expect(!picture.cells.cells.contains { $0.isPicture } && renderer.shelf.isEmpty)
  }

  /// The buffer of the sixel encoder is as wide as the picture for each colour.
  @Test(arguments: [
    (PixelSize(width: 255, height: 1), Size(width: 2_000, height: 1)),
    (PixelSize(width: 0, height: 16), Size(width: 6, height: 3)),
    (PixelSize(width: -8, height: -16), Size(width: 6, height: 3)),
    (PixelSize(width: Int.max, height: 16), Size(width: 6, height: 3)),
  ])
  func impossibleCellSizesShowSymbols(cell: PixelSize, size: Size) async {
    for mode in Self.pixelModes {
      let renderer = PictureRenderer(
        method: PictureMethod(mode, cell: cell, symbols: .trueColor))
      let picture = await renderer.picture(of: red, size: size)
      #expect(picture.size == size)
      #expect(!picture.cells.cells.contains { $0.isPicture } && renderer.shelf.isEmpty)
    }
  }

  @Test(arguments: [(1, 1), (1, 10_000), (10_000, 1)])
  func linesAndDotsOfPixelsAreDrawn(width: Int, height: Int) async {
    let source = PixelBuffer(
      size: PixelSize(width: width, height: height), red: 200, green: 10, blue: 10)
    for size in [Size(width: 1, height: 1), Size(width: 96, height: 1), Size(width: 1, height: 33)]
    {
      for mode in Self.pixelModes {
        let renderer = PictureRenderer(
          method: PictureMethod(mode, cell: cell, symbols: .trueColor))
        let picture = await renderer.picture(of: source, size: size)
        #expect(picture.cells.cells.allSatisfy { $0.isPicture })
      }
    }
  }

  @Test func aCircleIsRoundAndItsEdgeSmooth() {
    let round = red.scaled(to: PixelSize(width: 40, height: 20)).maskedToEllipse()
    #expect(round[0, 0].w == 0)
    #expect(round[39, 19].w == 0)
    #expect(round[20, 10].w == 255)
    #expect(round[1, 10].w > 128)
    let alphas = (0..<20).flatMap { y in (0..<40).map { round[$0, y].w } }
    #expect(alphas.contains { $0 > 20 && $0 < 235 })
    let area = alphas.reduce(0.0) { $0 + Double($1) / 255 }
    #expect(abs(area - Double.pi * 20 * 10) < 12)
  }
}

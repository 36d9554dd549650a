import Geometry
import Pixels
import TestSupport
import Testing

@testable import Terminal

@Suite struct SixelTests {
  private func picture(
    width: Int, height: Int, _ pixel: (Int, Int) -> [UInt8]
  ) -> PixelBuffer {
    PixelBuffer(
      size: PixelSize(width: width, height: height),
      bytes: (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } })
  }

  private func percent(_ pixel: [UInt8]) -> [Int] {
    pixel.prefix(3).map { (Int($0) * 100 + 127) / 255 }
  }

  /// Pictures of few colours are drawn exactly, at cell heights that are and are not multiples of
  /// six.
  @Test(arguments: [6, 7, 12, 13, 16, 20, 1]) func fewColoursAreKept(cellHeight: Int) {
    let seed = UInt64(cellHeight) + 40
    var random = SeededGenerator(seed: seed)
    let colors: [[UInt8]] = (0..<20).map { index in
      let red = UInt8(index * 12)
      return [red, UInt8.random(in: 0...255, using: &random), 255 - red, 255]
    }
    let cell = PixelSize(width: 5, height: cellHeight)
    let choices = (0..<(35 * cellHeight * 3)).map { _ in Int.random(in: 0..<20, using: &random) }
    let source = picture(width: 35, height: cellHeight * 3) { x, y in colors[choices[y * 35 + x]] }
    let sixel = SixelPicture(source, cell: cell, background: nil, symbols: .trueColor)
    #expect(sixel.columns == 7)
    #expect(sixel.rows == 3)
    for row in 0..<3 {
      for part in [0..<7, 2..<5, 6..<7] {
        let decoder = SixelDecoder(sixel.block(rows: row..<(row + 1), columns: part))
        #expect(decoder.problems == [], "seed \(seed)")
        #expect(decoder.isTransparent)
        #expect(decoder.size == [part.count * 5, cellHeight])
        for y in 0..<cellHeight {
          for x in 0..<(part.count * 5) {
            let expected = source[part.lowerBound * 5 + x, row * cellHeight + y]
            let found = decoder.pixels[y][x]
            #expect(
              found == percent([expected.x, expected.y, expected.z]),
              "seed \(seed), \(x), \(y)")
          }
        }
      }
    }
  }

  /// Any rows and columns, requested in any order, show the same pixels.
  @Test(arguments: [6, 9, 15, 17, 20]) func anyBlockShowsItsPart(cellHeight: Int) {
    let seed = UInt64(cellHeight) + 900
    var random = SeededGenerator(seed: seed)
    let cell = PixelSize(width: 4, height: cellHeight)
    let (columns, rows) = (9, 7)
    let source = picture(width: columns * 4, height: rows * cellHeight) { x, y in
      [UInt8(x * 7), UInt8(y % 2 * 200), UInt8((x / 3 + y / 4) % 5 * 60), x == y ? 0 : 255]
    }
    let sixel = SixelPicture(source, cell: cell, background: nil, symbols: .trueColor)
    let whole = SixelDecoder(sixel.block(rows: 0..<rows, columns: 0..<columns))
    #expect(whole.problems == [])
    #expect(whole.pixels[0][0] == nil && whole.pixels[0][1] != nil)
    for round in 0..<Rounds.times(30) {
      let top = Int.random(in: 0..<rows, using: &random)
      let left = round % 3 == 0 ? Int.random(in: 0..<columns, using: &random) : 0
      let part = top..<Int.random(in: (top + 1)...rows, using: &random)
      let across =
        left..<(round % 3 == 0 ? Int.random(in: (left + 1)...columns, using: &random) : columns)
      let decoder = SixelDecoder(sixel.block(rows: part, columns: across))
      #expect(decoder.problems == [], "seed \(seed), round \(round)")
      #expect(decoder.size == [across.count * 4, part.count * cellHeight])
      let expected = whole.pixels[(top * cellHeight)..<(part.upperBound * cellHeight)]
        .map { Array($0[(left * 4)..<(across.upperBound * 4)]) }
      #expect(decoder.pixels == expected, "seed \(seed), round \(round): \(part), \(across)")
    }
  }

  /// The largest cells, on a screen of many rows.
  @Test func hugePicturesAreDrawnAsSymbols() async {
    let cell = PixelSize(width: 255, height: 255)
    let renderer = PictureRenderer(method: PictureMethod(.sixel, cell: cell, symbols: .trueColor))
    let source = picture(width: 2, height: 2) { x, y in [UInt8(x * 255), UInt8(y * 255), 0, 255] }
    let long = await renderer.picture(of: source, size: Size(width: 80, height: 600))
    #expect(long.cells.size == Size(width: 80, height: 600))
    #expect(long.cells.cells.allSatisfy { $0.picture == nil })
    let short = await renderer.picture(of: source, size: Size(width: 8, height: 4))
    #expect(short.cells.cells.allSatisfy { $0.picture != nil })
  }

  @Test func manyColoursComeNear() {
    let source = picture(width: 120, height: 96) { x, y in
      [UInt8(x * 2), UInt8(y * 2), UInt8((x + y) & 255), 255]
    }
    let sixel = SixelPicture(
      source, cell: PixelSize(width: 8, height: 16), background: nil, symbols: .trueColor)
    var squares = 0
    for row in 0..<6 {
      let decoder = SixelDecoder(sixel.block(rows: row..<(row + 1), columns: 0..<15))
      #expect(decoder.problems == [])
      #expect(decoder.definedColors <= 255)
      for y in 0..<16 {
        for x in 0..<120 {
          let expected = source[x, row * 16 + y]
          let found = decoder.pixels[y][x] ?? [0, 0, 0]
          for (a, b) in zip(found, [expected.x, expected.y, expected.z]) {
            let difference = a * 255 / 100 - Int(b)
            squares += difference * difference
          }
        }
      }
    }
    // At most a mean error of nine levels in each channel.
    #expect(squares / (120 * 96 * 3) <= 81)
  }

  @Test func transparencyIsNotDrawn() {
    let source = picture(width: 16, height: 16) { x, y in
      x < 8 ? [200, 100, 0, 0] : [200, 100, 0, UInt8(y < 8 ? 255 : 51)]
    }
    let cell = PixelSize(width: 8, height: 16)
    let bare = SixelDecoder(
      SixelPicture(source, cell: cell, background: nil, symbols: .trueColor).block(
        rows: 0..<1, columns: 0..<2))
    #expect(bare.pixels[0][0] == nil)
    #expect(bare.pixels[0][8] == percent([200, 100, 0]))
    #expect(bare.pixels[15][8] == nil)
    let laid = SixelDecoder(
      SixelPicture(source, cell: cell, background: RGB(0, 0, 250), symbols: .trueColor).block(
        rows: 0..<1, columns: 0..<2))
    #expect(laid.pixels[15][0] == nil)
    #expect(laid.pixels[15][8] == percent([40, 20, 200]))
  }

  @Test func nothingIsDrawnOutsideThePicture() {
    let source = picture(width: 16, height: 16) { _, _ in [1, 2, 3, 255] }
    let sixel = SixelPicture(
      source, cell: PixelSize(width: 8, height: 16), background: nil, symbols: .trueColor)
    #expect(sixel.block(rows: 1..<2, columns: 0..<2) == [])
    #expect(sixel.block(rows: -1..<0, columns: 0..<2) == [])
    #expect(sixel.block(rows: 0..<1, columns: 2..<5) == [])
    #expect(SixelDecoder(sixel.block(rows: 0..<1, columns: 1..<5)).size == [8, 16])
  }

  @Test func aWhollyTransparentPictureHasNoColours() {
    let source = picture(width: 8, height: 16) { _, _ in [9, 9, 9, 0] }
    let sixel = SixelPicture(
      source, cell: PixelSize(width: 8, height: 16), background: nil, symbols: .trueColor)
    let decoder = SixelDecoder(sixel.block(rows: 0..<1, columns: 0..<1))
    #expect(decoder.problems == [])
    #expect(decoder.definedColors == 0)
    #expect(decoder.pixels.allSatisfy { $0.allSatisfy { $0 == nil } })
  }
}

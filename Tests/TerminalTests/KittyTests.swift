import FoundationEssentials
import Geometry
import Pixels
import TestSupport
import Testing

@testable import Terminal

@Suite struct KittyTests {
  private let renderer = PictureRenderer(
    method: PictureMethod(.kitty, cell: PixelSize(width: 8, height: 16), symbols: .trueColor))

  private func picture(
    _ seed: UInt64 = 1, size: Size = Size(width: 20, height: 10)
  ) async -> Picture {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<(80 * 80 * 4)).map { _ in UInt8.random(in: 0...255, using: &random) }
    return await renderer.picture(
      of: PixelBuffer(size: PixelSize(width: 80, height: 80), bytes: bytes), size: size)
  }

  private func id(_ picture: Picture) -> UInt32 { picture.cells[0, 0].picture?.id ?? 0 }

  private func commands(_ bytes: [UInt8]) -> [KittyCommand] {
    String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}\\")
      .filter { !$0.isEmpty }
      .map {
        #expect($0.hasPrefix("\u{1B}_G"))
        return KittyCommand(String($0.dropFirst(3)))
      }
  }

  @Test func aPictureIsSentOnceInChunks() async throws {
    var painter = KittyPainter()
    let shown = await picture()
    let first = painter.show([id(shown)], of: renderer.shelf)
    let sent = commands(first.before)
    #expect(first.after == [])
    let head = try #require(sent.first)
    #expect(
      head.keys == [
        "a": "T", "U": "1", "q": "2", "f": "100", "i": "16", "c": "20", "r": "10", "m": "1",
      ])
    #expect(sent.count > 2)
    #expect(sent.allSatisfy { $0.payload.utf8.count <= 4096 })
    #expect(sent.dropLast().allSatisfy { $0.payload.utf8.count == 4096 && $0.keys["m"] == "1" })
    #expect(sent.dropFirst().allSatisfy { Set($0.keys.keys) == ["q", "m"] })
    #expect(sent.last?.keys["m"] == "0")
    let png = try #require(Data(base64Encoded: sent.map(\.payload).joined()))
    #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let again = painter.show([id(shown)], of: renderer.shelf)
    #expect(again.before == [])
    #expect(again.after == [])
    let away = painter.show([], of: renderer.shelf)
    #expect(away.before == [])
    #expect(away.after == [])
    withExtendedLifetime(shown) {}
  }

  /// For all kinds of pixels, in sizes that are not multiples of eight.
  @Test func pngsAreLossless() async throws {
    var random = SeededGenerator(seed: 17)
    for (width, height) in [(1, 1), (1, 9), (7, 1), (33, 21), (131, 127), (5_000, 2)] {
      let noise = (0..<(width * height * 4)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let slope = (0..<(width * height * 4)).map { UInt8(truncatingIfNeeded: $0 / 3) }
      for bytes in [noise, slope] {
        let opaque = bytes.enumerated().map { $0 % 4 == 3 ? 255 : $1 }
        for (bytes, depth) in [(bytes, 4), (opaque, 3)] {
          let pixels = PixelBuffer(size: PixelSize(width: width, height: height), bytes: bytes)
          let file = try #require(PNGEncoder.png(pixels).flatMap { PNGFile($0) })
          #expect((file.width, file.height) == (width, height))
          #expect(file.depth == (pixels.isOpaque ? 3 : 4), "\(depth)")
          #expect(file.pixels == bytes)
          let inParts = try #require(await PNGEncoder.makePNG(of: pixels).flatMap { PNGFile($0) })
          #expect(inParts.pixels == bytes)
        }
      }
    }
    #expect(PNGEncoder.png(PixelBuffer(size: PixelSize(width: 0, height: 3), bytes: [])) == nil)
  }

  @Test func unusedPicturesAreDeletedAfterFrames() async {
    var painter = KittyPainter()
    func showAndDrop() async {
      let shown = await picture()
      _ = painter.show([id(shown)], of: renderer.shelf)
    }
    await showAndDrop()
    let parts = painter.show([], of: renderer.shelf)
    #expect(parts.before == [])
    #expect(commands(parts.after).map(\.keys) == [["a": "d", "d": "I", "i": "16", "q": "2"]])
    #expect(painter.farewell == [])
  }

  @Test func leastRecentlyShownIsEvicted() async {
    let one = 80 * 80 * 4
    var painter = KittyPainter(byteLimit: one * 2)
    var pictures: [Picture] = []
    for seed in 1...4 { pictures.append(await picture(UInt64(seed))) }
    _ = painter.show([id(pictures[0])], of: renderer.shelf)
    _ = painter.show([id(pictures[1])], of: renderer.shelf)
    let third = painter.show([id(pictures[2])], of: renderer.shelf)
    #expect(commands(third.after).map { $0.keys["i"] } == ["16"])
    // All visible pictures stay, whatever their size.
    let all = painter.show(Set(pictures.map { id($0) }), of: renderer.shelf)
    #expect(all.after == [])
    #expect(commands(all.before).compactMap { $0.keys["i"] } == ["19", "20"])
    #expect(commands(painter.farewell).compactMap { $0.keys["i"] } == ["17", "18", "19", "20"])
    painter.forget()
    #expect(painter.farewell == [])
    withExtendedLifetime(pictures) {}
  }

  /// The commands that delete all pictures must fit into the bytes prepared for a crash.
  @Test func theNumberOfPicturesIsLimited() async {
    var painter = KittyPainter(byteLimit: .max)
    let tiny = PixelBuffer(size: PixelSize(width: 1, height: 1), red: 1, green: 2, blue: 3)
    var pictures: [Picture] = []
    for _ in 0..<250 {
      pictures.append(await renderer.picture(of: tiny, size: Size(width: 1, height: 1)))
    }
    for picture in pictures { _ = painter.show([id(picture)], of: renderer.shelf) }
    #expect(painter.numbers.count == KittyPainter.countLimit)
    #expect(painter.farewell.count < 12_000)
    let numbers = painter.numbers.values.map { $0 & 0xFF }
    #expect(numbers.allSatisfy { $0 >= 16 })
    #expect(painter.numbers.values.allSatisfy { $0 & 0xFFFF00 == 0 })
    let last: UInt32 = 1 << 24 | 25
    #expect(painter.numbers[id(pictures[249])] == last)
    withExtendedLifetime(pictures) {}
  }

  @Test func placeholdersEncodeRowColumnNumber() {
    let first = KittyPlaceholder.characters(row: 0, column: 1, imageID: 2 << 24 | 77)
    #expect(first == (0x10EEEE, 0x305, 0x30D, 0x30E, 0))
    let last = KittyPlaceholder.characters(row: 296, column: 255, imageID: 16)
    #expect(last.1 == 0x1D244)
    #expect(last.3 == 0x305)
    #expect(KittyPlaceholder.limit == 297)
  }
}

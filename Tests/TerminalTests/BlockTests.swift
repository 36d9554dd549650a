import Geometry
import Pixels
import TestSupport
import Testing

@testable import Terminal

/// The choice of blocks, compared with the areas that the characters cover by their Unicode names.
@Suite struct BlockTests {
  private static let cell = Size(width: 1, height: 1)

  /// Whether a character covers a sample of eight by eight.
  private static func covers(_ character: Character, _ x: Int, _ y: Int) -> Bool {
    let quarters = Array("▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
    if let index = quarters.firstIndex(of: character) {
      return (index + 1) >> (y / 4 * 2 + x / 4) & 1 == 1
    }
    if let index = Array("▁▂▃▄▅▆▇").firstIndex(of: character) { return 7 - y <= index }
    if let index = Array("▏▎▍▌▋▊▉").firstIndex(of: character) { return x <= index }
    switch character {
    case "▔": return y == 0
    case "▕": return x == 7
    default: return false
    }
  }

  private static let drawn: [Character] = Array("▀▔▘▝▖▛▚▏▎▍▌▋▊▕▆▅▃▂▁")
  private static let lower: Set<Character> = ["▆", "▅", "▃", "▂", "▁"]

  private func buffer(_ pixel: (Int, Int) -> [Int]) -> PixelBuffer {
    PixelBuffer(
      size: PixelSize(width: 8, height: 8),
      bytes: (0..<64).flatMap { pixel($0 % 8, $0 / 8).map { UInt8($0) } + [255] })
  }

  private func character(_ cell: CanvasCell) -> Character {
    Unicode.Scalar(cell.scalars.0).map(Character.init) ?? "?"
  }

  private func parts(_ color: Color) -> [Int] {
    guard let rgb = color.rgb else { return [] }
    return [Int(rgb.red), Int(rgb.green), Int(rgb.blue)]
  }

  @Test(arguments: drawn) func eachBlockIsDrawnForItsShape(block: Character) {
    let (ink, paper) = ([240, 180, 20], [10, 40, 90])
    let picture = buffer { Self.covers(block, $0, $1) ? ink : paper }
    let cell = SymbolRasterizer.canvas(for: picture, size: Self.cell, style: .trueColor)[0, 0]
    #expect(character(cell) == block)
    #expect(parts(cell.style.foreground) == ink)
    #expect(parts(cell.style.background) == paper)
    let common = SymbolRasterizer.canvas(
      for: picture, size: Self.cell, style: SymbolStyle(depth: .trueColor, drawsLowerBlocks: false))
    #expect(!Self.lower.contains(character(common[0, 0])))
  }

  /// By brute force over all blocks, each in its two best colours.
  @Test(arguments: [true, false]) func chosenBlocksAreOptimal(drawsLower: Bool) {
    let seed: UInt64 = 811
    var random = SeededGenerator(seed: seed)
    let style = SymbolStyle(depth: .trueColor, drawsLowerBlocks: drawsLower)
    let blocks = Self.drawn.filter { drawsLower || !Self.lower.contains($0) }
    var chosen: Set<Character> = []
    var round = 0
    while round < (Rounds.areMany ? 200 : 80) || !chosen.isSuperset(of: blocks), round < 1_500 {
      round += 1
      let colors = (0..<3).map { _ in (0..<3).map { _ in Int.random(in: 0...255, using: &random) } }
      let (a, b, c) = (
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random),
        Double.random(in: -5...5, using: &random)
      )
      let noise = round % 3 * 30
      let samples = (0..<64).map { index -> [Int] in
        let side = a * (Double(index % 8) - 3.5) + b * (Double(index / 8) - 3.5) + c
        let color = colors[side > 1 ? 0 : side > -1 ? 1 : 2]
        return color.map { min(255, max(0, $0 + Int.random(in: 0...noise, using: &random))) }
      }
      func error(_ isSet: (Int) -> Bool) -> Double {
        var sum = 0.0
        for group in [true, false] {
          let members = samples.indices.filter { isSet($0) == group }
          guard !members.isEmpty else { continue }
          for part in 0..<3 {
            let values = members.map { Double(samples[$0][part]) }
            let mean = values.reduce(0, +) / Double(values.count)
            sum += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
          }
        }
        return sum
      }
      let least = blocks.map { block in error { Self.covers(block, $0 % 8, $0 / 8) } }.min() ?? 0
      let picture = buffer { samples[$1 * 8 + $0] }
      let cell = SymbolRasterizer.canvas(for: picture, size: Self.cell, style: style)[0, 0]
      let found = character(cell)
      chosen.insert(found)
      #expect(found == " " || blocks.contains(found), "seed \(seed), round \(round)")
      let shown = samples.indices.map { index in
        parts(
          Self.covers(found, index % 8, index / 8)
            ? cell.style.foreground : cell.style.background)
      }
      var squares = 0.0
      for (one, other) in zip(shown, samples) {
        for (p, q) in zip(one, other) { squares += Double((p - q) * (p - q)) }
      }
      // Means are rounded, and a blank is drawn if the difference is invisible.
      #expect(squares <= least + 64 * 3 * 0.26 + 320, "seed \(seed), round \(round): \(found)")
    }
    #expect(chosen.isSuperset(of: blocks))
  }

  /// A picture fills its cells, whatever its size: the terminal's background does not show at its
  /// edges.
  @Test(arguments: [(1, 1), (7, 5), (33, 17), (250, 99), (3, 400)])
  func picturesFillCells(width: Int, height: Int) {
    let picture = PixelBuffer(
      size: PixelSize(width: width, height: height), red: 90, green: 10, blue: 200)
    let size = Size(width: 13, height: 7)
    for style in [SymbolStyle.trueColor, SymbolStyle(depth: .indexed256)] {
      let canvas = SymbolRasterizer.canvas(for: picture, size: size, style: style)
      #expect(canvas.cells.allSatisfy { $0.style.background != .default })
    }
  }
}

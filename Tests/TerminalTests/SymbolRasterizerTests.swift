import Geometry
import Pixels
import TestSupport
import Testing

@testable import Terminal

@Suite struct SymbolRasterizerTests {
  private typealias Pixel = (UInt8, UInt8, UInt8, UInt8)
  private let red: Pixel = (200, 10, 10, 255)
  private let blue: Pixel = (10, 10, 200, 255)
  private let clear: Pixel = (0, 0, 0, 0)

  private func picture(_ rows: [[Pixel]]) -> PixelBuffer {
    PixelBuffer(
      size: PixelSize(width: rows.first?.count ?? 0, height: rows.count),
      bytes: rows.flatMap { $0.flatMap { [$0.0, $0.1, $0.2, $0.3] } })
  }

  private func oneCell(_ rows: [[Pixel]], style: SymbolStyle = .trueColor) -> CanvasCell {
    SymbolRasterizer.canvas(for: picture(rows), size: Size(width: 1, height: 1), style: style)[0, 0]
  }

  @Test func oneColourIsABlank() {
    let cell = oneCell([[red, red], [red, red]])
    #expect(cell == CanvasCell(" ", style: Style(background: .rgb(200, 10, 10))))
  }

  @Test func halvesAndQuartersAreExact() {
    let r = Color.rgb(200, 10, 10)
    let b = Color.rgb(10, 10, 200)
    #expect(
      oneCell([[red, red], [blue, blue]])
        == CanvasCell("▀", style: Style(foreground: r, background: b)))
    #expect(
      oneCell([[red, blue], [red, blue]])
        == CanvasCell("▌", style: Style(foreground: r, background: b)))
    #expect(
      oneCell([[blue, red], [red, blue]])
        == CanvasCell("▚", style: Style(foreground: b, background: r)))
    #expect(
      oneCell([[blue, red], [blue, blue]])
        == CanvasCell("▝", style: Style(foreground: r, background: b)))
    #expect(
      oneCell([[blue, blue], [blue, red]])
        == CanvasCell("▛", style: Style(foreground: b, background: r)))
  }

  @Test func transparencyKeepsTheBackground() {
    #expect(oneCell([[clear, clear], [clear, clear]]) == CanvasCell())
    #expect(
      oneCell([[red, clear], [red, red]])
        == CanvasCell("▙", style: Style(foreground: .rgb(200, 10, 10))))
    #expect(
      oneCell([[red, red], [clear, clear]])
        == CanvasCell("▀", style: Style(foreground: .rgb(200, 10, 10))))
  }

  @Test func pixelsShowFromHalfOpacityOn() {
    let (seen, unseen): (Pixel, Pixel) = ((200, 10, 10, 128), (200, 10, 10, 127))
    #expect(oneCell([[seen, seen], [seen, seen]]) == oneCell([[red, red], [red, red]]))
    #expect(oneCell([[unseen, unseen], [unseen, unseen]]) == CanvasCell())
  }

  @Test func tooFewColoursShowNothing() {
    #expect(
      oneCell([[red, red], [red, red]], style: SymbolStyle(depth: .ansi16)) == CanvasCell())
    #expect(oneCell([[red, red], [red, red]], style: SymbolStyle(depth: .none)) == CanvasCell())
  }

  @Test func emptyPicturesAndAreasAreBlank() {
    let empty = PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [])
    let canvas = SymbolRasterizer.canvas(
      for: empty, size: Size(width: 3, height: 2), style: .trueColor)
    #expect(canvas.cells.allSatisfy { $0 == CanvasCell() })
    let none = SymbolRasterizer.canvas(
      for: picture([[red]]), size: Size(width: 0, height: 5), style: .trueColor)
    #expect(none.cells.isEmpty)
  }

  @Test func aCircleHasARoundEdgeAndAFullMiddle() {
    let canvas = SymbolRasterizer.canvas(
      for: picture([[red]]), size: Size(width: 8, height: 4), style: .trueColor, mask: .circle)
    let rows = (0..<4).map { y in
      (0..<8).map { x -> String in
        let cell = canvas[x, y]
        if cell == CanvasCell() { return " " }
        return cell.unicodeScalars == [" "] ? "#" : canvas.text(row: y).map(String.init)[x]
      }.joined()
    }
    #expect(rows == [" ▄▇##▇▄ ", "▟######▙", "▜######▛", " ▀####▀ "])
    for cell in canvas.cells where cell.unicodeScalars != [" "] {
      #expect(cell.style.background == .default)
    }
  }

  /// Compared with all sixteen patterns by brute force: no other two colours are nearer, apart from
  /// the costs of preferring blanks and of rounding means.
  @Test func theSquaredErrorIsMinimal() {
    let seed: UInt64 = 77
    var random = SeededGenerator(seed: seed)
    for round in 0..<500 {
      let quarters: [[Int]] = (0..<4).map { _ in
        (0..<3).map { _ in Int.random(in: 0...255, using: &random) }
      }
      let pixels = quarters.map { (UInt8($0[0]), UInt8($0[1]), UInt8($0[2]), UInt8(255)) }
      let cell = oneCell([[pixels[0], pixels[1]], [pixels[2], pixels[3]]])
      func error(_ pattern: Int, _ foreground: [Double], _ background: [Double]) -> Double {
        var sum = 0.0
        for quarter in 0..<4 {
          let shown = pattern >> quarter & 1 == 1 ? foreground : background
          for part in 0..<3 {
            let difference = shown[part] - Double(quarters[quarter][part])
            sum += difference * difference
          }
        }
        return sum
      }
      var smallest = Double.infinity
      for pattern in 0..<16 {
        func mean(_ isSet: Bool) -> [Double] {
          let group = (0..<4).filter { (pattern >> $0 & 1 == 1) == isSet }
          return (0..<3).map { part -> Double in
            let sum = group.reduce(0) { $0 + quarters[$1][part] }
            return group.isEmpty ? 0 : Double(sum) / Double(group.count)
          }
        }
        smallest = min(smallest, error(pattern, mean(true), mean(false)))
      }
      let blocks = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars)
      let pattern = blocks.firstIndex(of: cell.unicodeScalars[0]) ?? 0
      func parts(_ color: Color) -> [Double] {
        guard let rgb = color.rgb else { return [0, 0, 0] }
        return [Double(rgb.red), Double(rgb.green), Double(rgb.blue)]
      }
      let found = error(pattern, parts(cell.style.foreground), parts(cell.style.background))
      #expect(found <= smallest + 25, "seed \(seed), round \(round): \(quarters)")
    }
  }

  @Test func indexedPicturesUseTheCubeAndGreysOnly() {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<(40 * 30 * 4)).map {
      $0 % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
    }
    let canvas = SymbolRasterizer.canvas(
      for: PixelBuffer(size: PixelSize(width: 40, height: 30), bytes: bytes),
      size: Size(width: 20, height: 10), style: .indexed256)
    for cell in canvas.cells {
      #expect((16...255).contains(cell.style.background.rawValue), "seed \(seed)")
    }
  }

  /// A grey between two entries is shown by both, with nearly its own mean.
  @Test func ditherKeepsTheMean() {
    let grey: Pixel = (133, 133, 133, 255)
    let canvas = SymbolRasterizer.canvas(
      for: picture([[grey]]), size: Size(width: 8, height: 8), style: .indexed256)
    let levels = canvas.cells.compactMap { $0.style.background.rgb.map { Int($0.green) } }
    #expect(Set(levels).count > 1)
    #expect(abs(levels.reduce(0, +) / levels.count - 133) <= 3)
  }
}

import Geometry
import TestSupport
import Testing

@testable import Terminal

@Suite struct CanvasTests {
  @Test func drawsTextAndReturnsItsColumns() {
    var canvas = Canvas(size: Size(width: 10, height: 2))
    #expect(canvas.draw("ab潮c", at: Point(x: 1, y: 0)) == 5)
    #expect(canvas.text(row: 0) == " ab潮c    ")
    #expect(canvas[3, 0].width == 2)
    #expect(canvas[4, 0].width == 0)
    #expect(canvas.text(row: 1) == "          ")
  }

  @Test func clipsTextAtEveryEdge() {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    #expect(canvas.draw("abcdefgh", at: Point(x: 0, y: 0)) == 4)
    #expect(canvas.text(row: 0) == "abcd")
    canvas.draw("abcdef", at: Point(x: -3, y: 0))
    #expect(canvas.text(row: 0) == "defd")
    #expect(canvas.draw("xyz", at: Point(x: 0, y: 1)) == 0)
    #expect(canvas.draw("xyz", at: Point(x: 0, y: -1)) == 0)
    #expect(canvas.draw("xyz", at: Point(x: 4, y: 0)) == 0)
    #expect(canvas.text(row: 0) == "defd")
  }

  @Test func aWideCharacterCutByAnEdgeLeavesABlank() {
    var canvas = Canvas(size: Size(width: 5, height: 1), filledWith: CanvasCell("."))
    #expect(canvas.draw("潮潮潮", at: Point(x: 0, y: 0)) == 4)
    #expect(canvas.text(row: 0) == "潮潮 ")
    canvas.fill(canvas.bounds, with: CanvasCell("."))
    canvas.draw("潮位", at: Point(x: -1, y: 0))
    #expect(canvas.text(row: 0) == " 位..")
    canvas.fill(canvas.bounds, with: CanvasCell("."))
    #expect(canvas.draw("潮位", at: Point(x: 0, y: 0), maximumWidth: 3) == 2)
    #expect(canvas.text(row: 0) == "潮 ..")
  }

  @Test func overwritingHalfOfAWideCharacterBlanksTheOther() {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.draw("潮位港", at: Point(x: 0, y: 0))
    canvas.draw("x", at: Point(x: 1, y: 0))
    #expect(canvas.text(row: 0) == " x位港")
    canvas.draw("y", at: Point(x: 2, y: 0))
    #expect(canvas.text(row: 0) == " xy 港")
    canvas.fill(Rect(x: 5, y: 0, width: 1, height: 1), with: CanvasCell("#"))
    #expect(canvas.text(row: 0) == " xy  #")
  }

  @Test func copiesClippedAndWithoutHalves() {
    var source = Canvas(size: Size(width: 6, height: 2))
    source.draw("潮位港", at: Point(x: 0, y: 0))
    source.draw("abcdef", at: Point(x: 0, y: 1))
    var canvas = Canvas(size: Size(width: 6, height: 2), filledWith: CanvasCell("."))
    canvas.copy(source, from: Rect(x: 1, y: 0, width: 4, height: 2), to: Point(x: 1, y: 0))
    #expect(canvas.text(row: 0) == ". 位 .")
    #expect(canvas.text(row: 1) == ".bcde.")
    canvas.copy(source, from: Rect(x: 0, y: 1, width: 6, height: 5), to: Point(x: -2, y: 1))
    #expect(canvas.text(row: 1) == "cdefe.")
    canvas.copy(source, from: Rect(x: 0, y: 0, width: 6, height: 2), to: Point(x: 9, y: 9))
    #expect(canvas.text(row: 1) == "cdefe.")
  }

  @Test func restylesWholeCharactersOnly() {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.draw("潮位", at: Point(x: 0, y: 0))
    canvas.restyle(Rect(x: 1, y: 0, width: 2, height: 1)) { $0.attributes.insert(.reverse) }
    let reversed = (0..<6).map { canvas[$0, 0].style.attributes.contains(.reverse) }
    #expect(reversed == [true, true, true, true, false, false])
  }

  @Test func controlCharactersAreNotDrawn() {
    var canvas = Canvas(size: Size(width: 8, height: 1))
    canvas.draw("a\u{1B}[2Jb\u{7}\u{9B}c", at: Point(x: 0, y: 0))
    for cell in canvas.cells {
      #expect(cell.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
    }
  }

  @Test func emptyCanvasesIgnoreDrawing() {
    var canvas = Canvas(size: Size(width: 0, height: -3))
    canvas.draw("abc", at: .zero)
    canvas.fill(Rect(x: -5, y: -5, width: 20, height: 20), with: CanvasCell("x"))
    canvas.copy(Canvas(size: Size(width: 3, height: 3)), from: canvas.bounds, to: .zero)
    #expect(canvas.cells.isEmpty)
  }

  /// Wide characters are whole after any sequence of operations.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func randomDrawingKeepsWideCharactersWhole(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let texts = ["潮位観測所", "a潮b位c", "plain", "é🌊x", "", "🇯🇵ok", "👍🏽!"]
    var canvas = Canvas(size: Size(width: 12, height: 4))
    var other = Canvas(size: Size(width: 9, height: 5))
    for y in 0..<5 { other.draw(texts[y], at: Point(x: y % 2, y: y)) }
    for step in 0..<2000 {
      let at = Point(
        x: .random(in: -4..<14, using: &random), y: .random(in: -2..<6, using: &random))
      let rect = Rect(
        x: .random(in: -3..<12, using: &random), y: .random(in: -2..<5, using: &random),
        width: .random(in: 0..<9, using: &random), height: .random(in: 0..<4, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: canvas.draw(texts.randomElement(using: &random) ?? "", at: at)
      case 1: canvas.fill(rect, with: CanvasCell("#"))
      case 2: canvas.fill(rect, with: CanvasCell("潮", width: 2))
      default: canvas.copy(other, from: rect, to: at)
      }
      for y in 0..<4 {
        var columns = 0
        for x in 0..<12 {
          let width = canvas[x, y].width
          let isWhole =
            width == 0
            ? x > 0 && canvas[x - 1, y].width == 2
            : width == 1 || (x < 11 && canvas[x + 1, y].width == 0)
          #expect(isWhole, "seed \(seed), step \(step), cell \(x),\(y)")
          columns += Int(width)
        }
        #expect(columns == 12, "seed \(seed), step \(step), row \(y)")
      }
    }
  }
}

import Geometry
import TestSupport
import Testing

@testable import Terminal

@Suite struct CanvasShiftTests {
  private func page(from top: Int, height: Int = 20, footer: String = "status") -> Canvas {
    var canvas = Canvas(size: Size(width: 30, height: height))
    for y in 0..<(height - 1) { canvas.draw("row \(top + y)", at: Point(x: 1, y: y)) }
    canvas.draw(footer, at: Point(x: 0, y: height - 1))
    return canvas
  }

  @Test(arguments: [1, 2, 5, 9, -1, -3, -9])
  func aScrolledPageIsRecognised(rows: Int) {
    let moved = page(from: 100 + rows, footer: "other").verticalShift(since: page(from: 100))
    #expect(moved == rows)
  }

  @Test func unmovedOrUnrelatedPagesDoNotMove() {
    #expect(page(from: 5).verticalShift(since: page(from: 5)) == 0)
    #expect(page(from: 5, footer: "x").verticalShift(since: page(from: 5)) == 0)
    #expect(page(from: 5).verticalShift(since: page(from: 500)) == 0)
    #expect(page(from: 5).verticalShift(since: page(from: 5, height: 10)) == 0)
    #expect(page(from: 5, height: 2).verticalShift(since: page(from: 6, height: 2)) == 0)
    #expect(Canvas(size: .zero).verticalShift(since: Canvas(size: .zero)) == 0)
  }
}

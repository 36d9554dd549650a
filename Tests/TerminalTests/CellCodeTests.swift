import Geometry
import Testing
import TextLayout

@testable import Terminal

@Suite struct CellCodeTests {
  /// Rows of cells are compared by their bytes, so none may be padding.
  @Test func cellsArePacked() {
    // Its code, two colours, and the packed attributes, width and link.
    #expect(MemoryLayout<CanvasCell>.size == 4 + 8 + 4)
    #expect(MemoryLayout<CanvasCell>.size == MemoryLayout<CanvasCell>.stride)
  }

  @Test(
    arguments: [
      (0x41, 0, 0, 0, 0), (0x10FFFF, 0, 0, 0, 0), (0, 0, 0, 0, 0), (0x65, 0x301, 0, 0, 0),
      (0x1F44D, 0x1F3FD, 0, 0, 0), (0x1F468, 0x200D, 0x1F469, 0x200D, 0x1F467),
    ] as [CellCode.Scalars])
  func scalarsRoundTrip(scalars: CellCode.Scalars) {
    var cell = CanvasCell()
    cell.scalars = scalars
    #expect(cell.scalars == scalars)
    #expect(!cell.isPicture)
    // The same cluster always has the same number.
    #expect(CellCode(scalars) == cell.code)
  }

  @Test func clustersDifferByAnyScalar() {
    #expect(CellCode((0x65, 0x301, 0, 0, 0)) != CellCode((0x65, 0x300, 0, 0, 0)))
    #expect(CellCode((0x65, 0x301, 0, 0, 0)) != CellCode(scalar: 0x65))
  }

  /// A number that is no code point is not taken for a cluster or a picture.
  @Test(arguments: [0x8000_0000, 0xC000_0001, 0xFFFF_FFFF] as [UInt32])
  func numbersBeyondCodePointsAreCut(number: UInt32) {
    #expect(CellCode(scalar: number).rawValue < CellCode.firstCluster)
    #expect(!CellCode((number, 0, 0, 0, 0)).isPicture)
  }

  @Test(
    arguments: [(0, 0, 0), (1, 2, 3), (.max, 32_767, 32_767), (0x8000_0001, 0, 32_767)]
      as [(UInt32, Int, Int)])
  func pictureCellsRoundTrip(id: UInt32, row: Int, column: Int) {
    let part = PictureCell(id: id, row: row, column: column)
    let cell = CanvasCell(part)
    #expect(cell.picture == part)
    #expect(cell.unicodeScalars == ["\u{A0}"])
  }

  @Test func restylingKeepsThePictureID() {
    var canvas = Canvas(size: Size(width: 2, height: 1))
    let part = PictureCell(id: 77, row: 4, column: 5)
    canvas[0, 0] = CanvasCell(part)
    canvas.restyle(canvas.bounds) { $0 = Style(foreground: .palette(3), background: .palette(4)) }
    #expect(canvas[0, 0].picture == part)
    #expect(canvas[0, 0].style.background == .palette(4))
    #expect(canvas[1, 0].style.foreground == .palette(3))
  }

  @Test func drawnTextReadsBack() {
    var canvas = Canvas(size: Size(width: 20, height: 1))
    canvas.draw("aé👍🏽潮e\u{301}한", at: .zero)
    #expect(canvas.text(row: 0).hasPrefix("aé"))
    #expect(canvas.text(row: 0).contains("e\u{301}"))
    #expect(canvas.text(row: 0).contains("潮"))
  }
}

@Suite struct ChangedColumnsTests {
  private func columns(_ new: String, _ old: String) -> Range<Int> {
    let canvases = [new, old].map { text in
      var canvas = Canvas(size: Size(width: 10, height: 1))
      canvas.draw(text, at: .zero)
      return canvas
    }
    return canvases[0].cells.withUnsafeBufferPointer { new in
      canvases[1].cells.withUnsafeBufferPointer { new.changedColumns(since: $0) }
    }
  }

  @Test func rangeSpansAllDifferences() {
    #expect(columns("abcdef", "abcdef").isEmpty)
    #expect(columns("abXdYf", "abcdef") == 2..<5)
    #expect(columns("", "abc") == 0..<3)
    #expect(columns("abcdefghij", "abcdefghiX") == 9..<10)
  }

  /// ncurses cannot change half a character.
  @Test func wideCharactersAreWhole() {
    #expect(columns("a潮b", "a汐b") == 1..<3)
    #expect(columns("ab潮", "a潮b") == 1..<4)
    #expect(columns("潮x", "潮y") == 2..<3)
  }
}

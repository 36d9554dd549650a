import Testing

@testable import TestSupport

/// Which differences between two screens count.
@Suite struct ScreenDifferenceTests {
  private func screen(_ bytes: String, columns: Int = 20, rows: Int = 3) -> DrawnScreen {
    let paper = VirtualScreen(columns: columns, rows: rows)
    paper.feed(bytes.utf8)
    return DrawnScreen(paper.snapshot())
  }

  private func difference(_ first: String, _ second: String) -> ScreenDifference {
    ScreenDifference(screen(first), screen(second), rows: 0..<3)
  }

  @Test func equalScreensAreEqual() {
    #expect(difference("tide\r\n潮位", "\u{1b}[2;1H潮位\u{1b}[1;1Htide").isEmpty)
  }

  @Test(arguments: [
    "Tide", "tide\r\nx", "\u{1b}[31mtide", "\u{1b}[1mtide", "\u{1b}[4mtide", "tid\u{1b}[41me",
    "\u{1b}[?1049htide", "\u{1b}[?25ltide", "tide\u{1b}[7m ",
  ])
  func seenChangesDiffer(other: String) {
    #expect(!difference("tide", other).isEmpty)
  }

  @Test(arguments: ["tide\u{1b}[31m  ", "tide\u{1b}[1m  ", "tide\u{1b}[31m\u{1b}[K"])
  func unseenChangesDoNot(other: String) {
    #expect(difference("tide", other).isEmpty)
  }

  @Test func aDifferenceNamesItsCellsAndShowsBothScreens() {
    let difference = difference("one\r\ntwo", "one\r\ntoo")
    #expect(difference.cells.map(\.row) == [1])
    #expect(difference.cells.map(\.column) == [1])
    let text = difference.description
    #expect(text.contains("  1- two") && text.contains("  1+ too") && text.contains("      ^"))
    #expect(text.contains("\"w\" | \"o\""))
  }

  @Test func rowsLeftOutMayDiffer() {
    let (first, second) = (screen("a\r\nb\r\n1"), screen("a\r\nb\r\n2"))
    #expect(ScreenDifference(first, second, rows: 0..<2).isEmpty)
    #expect(!ScreenDifference(first, second, rows: 0..<3).isEmpty)
  }

  @Test func otherSizesDiffer() {
    let difference = ScreenDifference(
      screen("a"), screen("a", columns: 21), rows: 0..<3)
    #expect(!difference.isEmpty)
  }

  // MARK: Sixels

  /// Two columns of cells of 2x6 pixels, the first in one colour, the second in another.
  private func sixel(_ first: Character, _ second: Character) -> [UInt8] {
    Array(
      "\u{1b}P7;1;0q\"1;1;4;6#1;2;0;0;0#2;2;99;0;0#1!2\(first)#2!2\(second)\u{1b}\\".utf8)
  }

  @Test func sixelCellsDifferByTheirPixels() {
    let whole = PaintedPixels(sixel("~", "~"))
    let cell = { (pixels: PaintedPixels, column: Int) in
      pixels.cell(row: 0, column: column, cellWidth: 2, cellHeight: 6)
    }
    #expect(cell(whole, 0) != cell(whole, 1))
    let other = PaintedPixels(sixel("~", "N"))
    #expect(cell(whole, 0) == cell(other, 0))
    #expect(cell(whole, 1) != cell(other, 1))
    // The right half alone, with a palette of its own.
    let half = PaintedPixels(Array("\u{1b}P7;1;0q\"1;1;2;6#7;2;99;0;0#7~~\u{1b}\\".utf8))
    #expect(cell(half, 0) == cell(whole, 1))
  }

  @Test func aSixelThatIsMissingOrMovedDiffers() {
    func drawn(_ column: Int?) -> DrawnScreen {
      let paper = VirtualScreen(columns: 6, rows: 2)
      if let column, let strip = SixelStrip(sixel("~", "~"), row: 0, column: column) {
        paper.paint(strip, cellWidth: 2, cellHeight: 6)
      }
      return DrawnScreen(paper.snapshot(), pictures: paper.pictures, cellWidth: 2, cellHeight: 6)
    }
    #expect(ScreenDifference(drawn(1), drawn(1), rows: 0..<2).isEmpty)
    #expect(ScreenDifference(drawn(1), drawn(2), rows: 0..<2).cells.count == 3)
    #expect(ScreenDifference(drawn(1), drawn(nil), rows: 0..<2).cells.count == 2)
  }

  // MARK: Images

  private func images(_ commands: String...) -> KittyImages {
    var images = KittyImages()
    for command in commands { images.take(KittyCommand(command)) }
    return images
  }

  /// Image 16, row 0, column 1.
  private let placeholder = "\u{1b}[38;5;16m\u{10EEEE}\u{305}\u{30D}\u{305}"

  /// One pixel, transmitted as an image of two rows and `columns` columns.
  private func image(_ number: Int, columns: Int = 2, chunk: String = "m=0;AAAAAA==") -> String {
    "a=T,U=1,q=2,f=32,s=1,v=1,i=\(number),r=2,c=\(columns),\(chunk)"
  }

  @Test func aPlaceholderNeedsItsImage() {
    let screen = screen(placeholder).snapshot
    let deletion = "a=d,d=I,q=2,i="
    #expect(images(image(16)).problems(of: screen).isEmpty)
    #expect(images(image(16, chunk: "m=1;AAAA"), "q=2,m=0;AA==").problems(of: screen).isEmpty)
    #expect(images().problems(of: screen).count == 1)
    #expect(images(image(17)).problems(of: screen).count == 1)
    #expect(images(image(16, chunk: "m=1;AAAA")).problems(of: screen).count == 1)
    #expect(images(image(16, columns: 1)).problems(of: screen).count == 1)
    #expect(images(image(16), deletion + "16").problems(of: screen).count == 1)
    #expect(images(image(16), image(17), deletion + "17").problems(of: screen).isEmpty)
  }
}

import Testing

@testable import TestSupport

@Suite struct ScreenGoldenTests {
  private func screen(_ text: String, columns: Int = 12) -> ScreenSnapshot {
    let screen = VirtualScreen(columns: columns, rows: 3)
    screen.feed(text.replacing("\n", with: "\r\n").utf8)
    return screen.snapshot()
  }

  @Test func sameTextDoesNotDiffer() throws {
    let golden = ScreenGolden(path: "kept.txt")
    #expect(golden.difference(of: screen("ebb 潮\nflow"), from: "ebb 潮\nflow\n") == nil)
    try expectScreen(screen("ebb 潮 tide\n\n🌊 flow"), matches: "kept")
  }

  @Test(arguments: [
    ("(PostHeader.swift:49) 52", false), ("(PostHeader.swift:52) 49", true),
    ("(PostFooter.swift:52) 52", true),
  ])
  func lineNumbersOfSourcesMayDiffer(expected: String, differs: Bool) {
    let golden = ScreenGolden(path: "kept.txt")
    let found = screen("(PostHeader.swift:52) 52", columns: 24)
    #expect((golden.difference(of: found, from: expected) != nil) == differs)
  }

  @Test func cellsThatDifferAreMarked() {
    let golden = ScreenGolden(path: "kept.txt")
    let report = golden.difference(of: screen("潮 ebb\nflow"), from: "潮 abb\nflow\n")
    #expect(
      report == """
        the screen differs from kept.txt
        (- expected, + found, ^ cells that differ):
          0- 潮 abb
          0+ 潮 ebb
                ^
          1  flow
          2  
        """)
  }

  @Test func aScreenThatIsTooSmallDiffers() {
    let golden = ScreenGolden(path: "kept.txt")
    let report = golden.difference(of: screen("1\n2\n3"), from: "1\n2\n3\n4\n")
    #expect(report?.hasPrefix("kept.txt has 4 rows, the screen 3") == true)
  }

  @Test func aMissingGoldenIsReportedWithTheScreen() {
    let report = ScreenGolden(path: "/there/is/none.txt").report(on: screen("ebb"))
    #expect(report?.hasPrefix("there is no /there/is/none.txt") == true)
    #expect(report?.hasSuffix("ebb") == true)
  }
}

import Testing

@testable import Terminal

/// The known colours of a terminal, and their sources.
@Suite struct TerminalColorsTests {
  @Test func theBackgroundDecides() {
    var colors = TerminalColors()
    #expect(!colors.isLight, "most are dark")
    colors.isLightByEnvironment = true
    #expect(colors.isLight)
    for (background, isLight) in [
      (RGB(0, 43, 54), false), (RGB(253, 246, 227), true), (RGB(127, 127, 127), true),
      (RGB(90, 90, 90), false),
    ] {
      colors.background = background
      #expect(colors.isLight == isLight, "\(background)")
    }
  }

  @Test(arguments: [
    ("15;0", false), ("0;15", true), ("0;default;15", true), ("12;8", false), ("0;7", true),
    ("15;default", nil), ("", nil), ("x", nil), ("0;16", nil), ("0;-1", nil), ("7;6", false),
  ])
  func colorFGBGTellsTheBackground(value: String, isLight: Bool?) {
    #expect(TerminalColors.isLight(colorFGBG: value) == isLight)
  }

  @Test func aPartialPaletteIsNil() {
    var colors = TerminalColors()
    for index in 0..<15 { colors.note(report: 4, "\(index);rgb:\(String(index, radix: 16))/0/0") }
    #expect(colors.palette == nil)
    // In one answer, with entries that do not exist.
    colors.note(report: 4, "15;rgb:f/0/0;16;rgb:1/1/1;-1;rgb:1/1/1;3;nonsense")
    #expect(colors.palette == (0..<16).map { RGB(UInt8($0 * 17), 0, 0) })
    #expect(!colors.note(report: 4, "nonsense") && !colors.note(report: 12, "rgb:1/1/1"))
  }

  @Test func contrastIsThatOfWCAG() {
    #expect(RGB.black.contrast(with: .white) == 21)
    #expect(RGB.white.contrast(with: .white) == 1)
    // The darkest grey with a contrast of 4.5 : 1 with white, and the next one.
    #expect(RGB(118, 118, 118).contrast(with: .white) >= 4.5)
    #expect(RGB(119, 119, 119).contrast(with: .white) < 4.5)
  }
}

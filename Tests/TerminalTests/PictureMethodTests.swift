import Pixels
import Testing

@testable import Terminal

@Suite struct PictureMethodTests {
  private func capabilities(
    depth: ColorDepth = .trueColor, sixel: Bool = false, version: String = "",
    cell: PixelSize? = PixelSize(width: 9, height: 18)
  ) -> TerminalCapabilities {
    var result = TerminalCapabilities(colorDepth: depth)
    result.drawsSixels = sixel
    result.version = version
    result.cellPixelSize = cell
    result.colors.background = RGB(1, 2, 3)
    return result
  }

  @Test(arguments: [
    ("kitty(0.28.0)", true), ("kitty(0.35.2)", true), ("kitty(1.0.0)", true),
    ("kitty(0.26.5)", false), ("kitty", false), ("ghostty 1.0.1", true),
    ("st-graphics(0.9)", true), ("XTerm(379)", false), ("tmux 3.3a", false), ("", false),
  ])
  func knownTerminalsDrawPlaceholders(version: String, isAllowed: Bool) {
    #expect(KittyPainter.drawsPlaceholders(version: version) == isAllowed)
  }

  @Test func autoPicksTheBestSafeMethod() {
    func auto(_ capabilities: TerminalCapabilities, _ environment: [String: String] = [:])
      -> PictureMode
    {
      PictureMethod.choose(.auto, capabilities: capabilities, environment: environment).mode
    }
    #expect(auto(capabilities()) == .symbols)
    #expect(auto(capabilities(sixel: true)) == .sixel)
    #expect(auto(capabilities(sixel: true, cell: nil)) == .symbols)
    #expect(auto(capabilities(sixel: true, version: "kitty(0.30.0)")) == .kitty)
    #expect(auto(capabilities(version: "kitty(0.26.5)")) == .symbols)
    for inside in [["TMUX": "/tmp/x"], ["STY": "1.pts"], ["TERM": "screen-256color"]] {
      #expect(auto(capabilities(sixel: true), inside) == .symbols)
      #expect(auto(capabilities(version: "ghostty 1.0"), inside) == .symbols)
    }
    for version in ["tmux 3.4", "screen 5.0.0"] {
      var inside = capabilities(sixel: true, version: version)
      inside.multiplexer = CapabilityProbe.Multiplexer(version: version)
      #expect(auto(inside, ["TERM": "xterm-256color"]) == .symbols)
    }
    #expect(auto(capabilities(depth: .ansi16, sixel: true)) == .off)
    #expect(auto(capabilities(depth: .none, version: "ghostty 1.0")) == .off)
  }

  @Test(arguments: PictureMode.allCases) func namedMethodsAreUsed(mode: PictureMode) {
    guard mode != .auto else { return }
    let bare = capabilities(cell: nil)
    for environment in [["TERM": "xterm"], ["TMUX": "/tmp/x"]] {
      let method = PictureMethod.choose(mode, capabilities: bare, environment: environment)
      #expect(method.mode == mode && method.showsPictures == (mode != .off))
    }
    let few = capabilities(depth: .ansi16, sixel: true)
    #expect(PictureMethod.choose(mode, capabilities: few, environment: [:]) == .none)
    for term in ["linux", "dumb"] {
      let environment = ["TERM": term]
      #expect(PictureMethod.choose(mode, capabilities: bare, environment: environment) == .none)
    }
  }

  @Test func anUnknownCellHasTheUsualSize() {
    let method = PictureMethod.choose(
      .sixel, capabilities: capabilities(cell: nil), environment: [:])
    #expect(
      method
        == PictureMethod(
          .sixel, cell: PixelSize(width: 8, height: 16), background: RGB(1, 2, 3),
          symbols: SymbolStyle(depth: .trueColor, drawsLowerBlocks: true)))
  }

  /// Each mode has its painter, but for the one that chooses and the one that draws nothing.
  @Test(arguments: PictureMode.allCases) func onePainterAMode(mode: PictureMode) {
    #expect((mode.painter == nil) == (mode == .auto || mode == .off))
    let method = PictureMethod(
      mode, cell: PixelSize(width: 9, height: 18), symbols: .trueColor)
    #expect(method.mode == (mode == .auto ? .off : mode))
    #expect(method.showsPictures == (mode.painter != nil))
  }

  @Test func theCellSizeOfAMethodChanges() {
    let (small, large) = (PixelSize(width: 6, height: 12), PixelSize(width: 12, height: 24))
    for mode in PictureMode.allCases {
      let method = PictureMethod.choose(
        mode, capabilities: capabilities(cell: small), environment: [:])
      let drawsPixels = mode.painter?.cellSize(on: capabilities()) != nil
      guard mode != .auto else { continue }
      #expect(method.cell == (drawsPixels ? small : nil))
      #expect(method.withCell(large).cell == (drawsPixels ? large : nil))
      #expect(method.withCell(small) == method)
      #expect(!drawsPixels || method.cellSamples == small)
    }
    #expect(PictureMethod.none.cellSamples == PixelSize(width: 1, height: 1))
    #expect(
      PictureMethod.symbols(.trueColor).cellSamples == PixelSize(width: 8, height: 16))
  }

  /// Lower eighths are not used on terminals that are known to draw them with the glyphs of a font;
  /// the reported name counts first.
  @Test(arguments: [
    ("foot(1.13.1)", "foot", true), ("VTE(7006)", "vte-256color", true),
    ("kitty(0.26.5)", "xterm-kitty", true), ("WezTerm 20240203", "xterm-256color", true),
    ("Konsole 23.08", "xterm-256color", true), ("contour 0.4", "contour", true),
    ("brand-new 0.1", "xterm-256color", true), ("brand-new 0.1", "st-256color", true),
    ("st-graphics(0.9)", "st-256color", true), ("tmux 3.3a", "tmux-256color", true),
    ("", "xterm-256color", true), ("", "rxvt-unicode-256color", true), ("", "mlterm", true),
    ("", "alacritty", true), ("", "stterm", true), ("", "", true), ("XTerm(379)", "xterm", false),
    ("XTerm(379)", "foot", false), ("", "st", false), ("", "st-256color", false),
    ("", "putty", false), ("", "putty-256color", false),
  ]) func lowerBlocksDependOnTheTerminal(version: String, term: String, drawsLower: Bool) {
    let method = PictureMethod.choose(
      .symbols, capabilities: capabilities(version: version), environment: ["TERM": term])
    #expect(method.symbols == SymbolStyle(depth: .trueColor, drawsLowerBlocks: drawsLower))
  }

  /// xterms before 354 do not report their version; nor does tmux inside one.
  @Test(arguments: [("", false), ("tmux 3.3a", false), ("foot(1.13.1)", true)])
  func anXtermIsKnownByItsEnvironment(version: String, drawsLower: Bool) {
    let environment = ["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(331)"]
    #expect(
      SymbolStyle.drawsLowerBlocks(version: version, environment: environment) == drawsLower)
  }
}

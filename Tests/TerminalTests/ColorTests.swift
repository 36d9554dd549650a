import TestSupport
import Testing

@testable import Terminal

@Suite struct ColorTests {
  @Test func paletteAndDefaultColoursStay() {
    #expect(Color.default.mapped(to: .ansi16) == .default)
    #expect(Color.palette(9).mapped(to: .ansi16) == .palette(9))
    #expect(Color.palette(200).mapped(to: .indexed256) == .palette(200))
    #expect(Color.rgb(1, 2, 3).mapped(to: .trueColor) == .rgb(1, 2, 3))
    #expect(Color.rgb(1, 2, 3).mapped(to: .none) == .default)
  }

  @Test func darkRGBIsNudgedOutOfThePalette() {
    #expect(Color.rgb(0, 0, 0).rawValue == 256)
    // Blue stays blue.
    #expect(Color.rgb(0, 0, 255).rgb == RGB(0, 1, 255))
    #expect(Color.rgb(0, 1, 7).rgb == RGB(0, 1, 7))
  }

  @Test func knownColoursMapToKnownEntries() {
    #expect(Color.rgb(255, 0, 0).mapped(to: .indexed256) == .palette(196))
    #expect(Color.rgb(95, 135, 175).mapped(to: .indexed256) == .palette(67))
    #expect(Color.rgb(128, 128, 128).mapped(to: .indexed256) == .palette(244))
    #expect(Color.rgb(0, 0, 1).mapped(to: .indexed256) == .palette(16))
    #expect(Color.rgb(250, 5, 5).mapped(to: .ansi16) == .palette(9))
    #expect(Color.palette(196).mapped(to: .ansi16) == .palette(9))
  }

  /// Compared with a search of all 240 entries.
  @Test func nearestIsNearest() {
    let seed: UInt64 = 20
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let rgb = RGB(
        .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
        .random(in: 0...255, using: &random))
      let found = Color.nearestIndexed(to: rgb).rgb
      let distances = (16...255).compactMap {
        Color.palette(UInt8($0)).rgb?.squaredDistance(to: rgb)
      }
      #expect(found?.squaredDistance(to: rgb) == distances.min(), "seed \(seed), \(rgb)")
    }
  }

  @Test func depthFollowsTheUserThenProofThenClaims() {
    func detect(
      _ environment: [String: String], mode: ColorMode = .auto, proof: Bool = false, _ colors: Int?
    ) -> ColorDepth {
      .detect(
        mode: mode, environment: environment, provedTrueColor: proof, terminfoColors: colors)
    }
    #expect(detect(["TERM": "xterm-256color"], 256) == .indexed256)
    #expect(detect(["TERM": "xterm-256color", "COLORTERM": "truecolor"], 256) == .trueColor)
    #expect(detect(["TERM": "xterm"], proof: true, 8) == .trueColor)
    #expect(detect(["TERM": "xterm"], 8) == .ansi16)
    #expect(detect(["TERM": "vt100"], nil) == .none)
    #expect(detect(["TERM": "vt100"], mode: .indexed256, nil) == .indexed256)
    #expect(detect(["TERM": "xterm", "NO_COLOR": "1"], proof: true, 256) == .none)
    #expect(detect(["TERM": "xterm", "NO_COLOR": ""], proof: true, 256) == .trueColor)
    #expect(detect(["TERM": "xterm", "NO_COLOR": "1"], mode: .ansi16, 256) == .ansi16)
    #expect(detect(["TERM": "screen-256color", "TMUX": "x"], 256) == .trueColor)
    #expect(
      detect(["TERM": "screen-256color", "STY": "1.x", "COLORTERM": "truecolor"], 256)
        == .indexed256)
    for (multiplexer, depth) in [
      (nil, ColorDepth.indexed256), (CapabilityProbe.Multiplexer.tmux, .trueColor),
      (.screen, .indexed256),
    ] {
      let found = ColorDepth.detect(
        mode: .auto, environment: ["TERM": "xterm-256color"], multiplexer: multiplexer,
        provedTrueColor: false, terminfoColors: 256)
      #expect(found == depth)
    }
    #expect(
      ColorDepth.detect(
        mode: .auto, environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"],
        multiplexer: .screen, provedTrueColor: false, terminfoColors: 256) == .indexed256)
    #expect(detect(["TERM": "xterm-direct"], 1 << 24) == .trueColor)
    #expect(detect(["TERM": "xterm", "COLORTERM": "truecolor"], mode: .never, 256) == .none)
  }
}

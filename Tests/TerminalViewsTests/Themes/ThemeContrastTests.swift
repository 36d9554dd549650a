import Terminal
import Testing
import TextLayout

@testable import TerminalViews

/// Themes are readable on common palettes in all depths of colour: text has a contrast of 4.5 : 1
/// or more, marks have 3 : 1.
@Suite struct ThemeContrastTests {
  private static let depths = [ColorDepth.ansi16, .indexed256, .trueColor]
  private static let traits: [TextStyle.Traits] = [
    [], .bold, .italic, .underline, .strikethrough, .marked, [.bold, .marked],
    [.strikethrough, .bold],
  ]
  private static let roles: [TextStyle.Role] = [
    .body, .secondary, .heading, .title, .link, .tag, .code, .quote, .warning, .error,
  ]

  /// A line that is scrolled in sends the scroll bar's colours, and most send secondary text.
  @Test func coloursOfEachLineHaveShortSequences() {
    let theme = Theme.standard
    for color in [theme.accent, theme.mark, theme.secondary, theme.track] {
      #expect((16..<256).contains(color.rawValue), "\(color)")
    }
    var colors = TerminalColors()
    (colors.foreground, colors.background) = (RGB(131, 148, 150), RGB(0, 43, 54))
    // No grey and no colour of the cube is near it.
    #expect(Theme(.auto, for: colors, depth: .trueColor).track.rawValue > 255)
  }

  /// All styles in which a theme draws text, by name.
  private func texts(_ theme: Theme) -> [(String, Style)] {
    var texts = Self.roles.flatMap { role in
      Self.traits.map { traits in
        ("\(role) \(traits)", theme.style(for: TextStyle(role: role, traits: traits)))
      }
    }
    var pill = theme.emphasizedAccent
    pill.attributes.insert(.reverse)
    texts += [
      ("pointed out", theme.emphasizedAccent), ("new rows", pill),
      ("quiet block", theme.quietBlock),
    ]
    texts += (0..<24).map { ("initials \($0)", theme.emphasized(theme.block($0))) }
    return texts + (0..<24).map { ("block \($0)", theme.block($0)) }
  }

  private func check(
    _ theme: Theme, on palette: KnownPalette, _ depth: ColorDepth,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (name, style) in texts(theme) {
      let contrast = palette.contrast(of: style)
      #expect(
        contrast >= 4.5, "\(name) on \(palette), \(depth): \(contrast)",
        sourceLocation: sourceLocation)
      #expect(
        Self.isShown(style.foreground, depth) && Self.isShown(style.background, depth),
        "\(name) of \(depth)", sourceLocation: sourceLocation)
    }
    for (name, style) in [("mark", theme.markStyle), ("line", theme.lineStyle)] {
      let contrast = palette.contrast(of: style)
      #expect(
        contrast >= 3, "\(name) on \(palette), \(depth): \(contrast)",
        sourceLocation: sourceLocation)
    }
    // A block is recognizable.
    for number in 0..<24 as Range<UInt64> {
      let block = theme.block(number).background
      guard block != .default else { continue }
      let contrast = (palette.seen(block, isBold: false) ?? palette.background)
        .contrast(with: palette.background)
      #expect(
        contrast >= 3, "block \(number) on \(palette): \(contrast)", sourceLocation: sourceLocation)
    }
  }

  /// No theme relies on a substitute for one of its colours.
  private static func isShown(_ color: Color, _ depth: ColorDepth) -> Bool {
    switch depth {
    case .none: color == .default
    case .ansi16: color.rawValue < 16
    // The first 16 may be anything: the user defines them.
    case .indexed256: color == .default || (16..<256).contains(color.rawValue)
    case .trueColor: color == .default || color.rawValue >= 16
    }
  }

  @Test(arguments: depths) func onReportedColours(depth: ColorDepth) {
    for palette in KnownPalette.light + KnownPalette.dark {
      let theme = Theme(.auto, for: palette.colors, depth: depth)
      check(theme, on: palette, depth)
      let isLight = KnownPalette.light.contains { $0.description == palette.description }
      #expect(palette.colors.isLight == isLight)
      #expect(theme == Theme(isLight ? .light : .dark, for: palette.colors, depth: depth))
    }
  }

  /// Terminals that report only their background.
  @Test(arguments: depths) func onTheBackgroundAlone(depth: ColorDepth) {
    for palette in KnownPalette.light + KnownPalette.dark {
      var colors = TerminalColors()
      colors.background = palette.background
      check(Theme(.auto, for: colors, depth: depth), on: palette, depth)
    }
  }

  /// Terminals that report nothing; the user or `COLORFGBG` says whether they are light or dark.
  @Test(arguments: depths) func onSilentTerminals(depth: ColorDepth) {
    for (choice, palettes) in [
      (ThemeChoice.light, KnownPalette.light), (.dark, KnownPalette.dark),
    ] {
      let theme = Theme(choice, for: TerminalColors(), depth: depth)
      for palette in palettes { check(theme, on: palette, depth) }
      var colors = TerminalColors()
      colors.isLightByEnvironment = choice == .light
      #expect(Theme(.auto, for: colors, depth: depth) == theme)
    }
  }

  /// Terminals that report everything except their palette.
  @Test(arguments: depths) func onTextAndBackgroundAlone(depth: ColorDepth) {
    for palette in KnownPalette.light + KnownPalette.dark {
      var colors = palette.colors
      colors.palette = nil
      check(Theme(.auto, for: colors, depth: depth), on: palette, depth)
    }
  }

  /// If the guess about a terminal that reports nothing is wrong, its own text is still readable.
  @Test(arguments: depths) func aWrongGuessLeavesTheText(depth: ColorDepth) {
    let theme = Theme(.auto, for: TerminalColors(), depth: depth)
    #expect(theme.text == .default)
    #expect(theme.style(for: .heading) == Style(attributes: .bold))
  }

  /// The user's choice of a light theme counts: the colours that a dark terminal reports are
  /// ignored, except for text without a colour, which keeps the terminal's.
  @Test(arguments: depths) func aChoiceIsNotOverruled(depth: ColorDepth) {
    for palette in KnownPalette.dark {
      let chosen = Theme(.light, for: palette.colors, depth: depth)
      #expect(chosen.text == .default)
      let untold = Theme(.light, for: TerminalColors(), depth: depth)
      #expect((chosen.track, chosen.code) == (untold.track, untold.code) || depth == .ansi16)
      #expect(chosen.secondary == untold.secondary || depth == .ansi16)
    }
    #expect(
      Theme(.light, for: TerminalColors(), depth: .trueColor)
        != Theme(.dark, for: TerminalColors(), depth: .trueColor))
  }

  /// Any background and any colours: readability is not limited to five palettes.
  @Test(arguments: [UInt64.random(in: 0...UInt64.max), 4_311_921_203_226_707_408])
  func onRandomColours(seed: UInt64) {
    var generator = Generator(state: seed)
    for _ in 0..<300 {
      func color() -> RGB {
        let value = generator.next()
        return RGB(
          UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(value >> 16 & 255))
      }
      var colors = TerminalColors()
      (colors.foreground, colors.background) = (color(), color())
      colors.palette = (0..<16).map { _ in color() }
      guard let ground = colors.background else { return }
      let theme = Theme(.auto, for: colors, depth: .trueColor)
      for (name, style) in texts(theme) where style.background == .default {
        let text = style.foreground.rgb ?? colors.foreground ?? ground
        let contrast = text.contrast(with: ground)
        #expect(contrast >= 4.49, "\(name) on \(ground): \(contrast), seed \(seed)")
      }
    }
  }

  private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }

  // MARK: The character of a theme

  @Test func readableUserColoursAreKept() throws {
    let gruvbox = try #require(KnownPalette.dark.first { $0.description == "Gruvbox" })
    let theme = Theme(.auto, for: gruvbox.colors, depth: .trueColor)
    #expect(theme.accent == Color(gruvbox.palette[6]))
    #expect(theme.text == .default)
    let few = Theme(.auto, for: gruvbox.colors, depth: .ansi16)
    #expect(few.accent == .palette(6))
  }

  /// The user's own choice is not made readable.
  @Test func namedColoursAreUsedUnchanged() throws {
    var named = NamedColors()
    (named[.title], named[.accent], named[.panel]) = (RGB(40, 40, 40), RGB(1, 200, 3), .white)
    let dark = try #require(KnownPalette.dark.first).colors
    let theme = Theme(.auto, for: dark, depth: .trueColor, named: named)
    #expect(theme.title == Color(RGB(40, 40, 40)))
    #expect([theme.accent, theme.link, theme.mark].allSatisfy { $0 == Color(RGB(1, 200, 3)) })
    #expect(theme.panel == Color(.white))
    let plain = Theme(.auto, for: dark, depth: .trueColor)
    #expect(theme.secondary == plain.secondary && theme.code == plain.code)
    #expect(plain.panel == .default && plain.link == plain.accent)
    #expect(named.lowContrasts(.auto, on: dark).map(\.name) == [.title, .panel])
    #expect(named.lowContrasts(.light, on: TerminalColors()).map(\.name) == [.accent])
    let none = Theme(.auto, for: dark, depth: .none, named: named)
    #expect(none == Theme(.auto, for: dark, depth: .none))
    #expect(none.style(for: .title) == Style(attributes: .bold))
    let few = Theme(.auto, for: dark, depth: .ansi16, named: named)
    #expect((0..<16).contains(few.title.rawValue))
    let many = Theme(.auto, for: dark, depth: .indexed256, named: named)
    #expect((16..<256).contains(many.title.rawValue))
  }

  @Test func withoutColoursThereAreAttributes() {
    let theme = Theme(.auto, for: TerminalColors(), depth: .none)
    #expect(theme.style(for: .secondary) == Style(attributes: .dim))
    #expect(theme.style(for: .quote) == .plain, "long texts are not dim")
    #expect(theme.style(for: .link) == Style(attributes: .underline))
    #expect(theme.style(for: .heading) == Style(attributes: .bold))
    for (_, style) in texts(theme) {
      #expect(style.foreground == .default && style.background == .default)
    }
  }

  @Test func secondaryTextIsFainter() throws {
    for palette in KnownPalette.light + KnownPalette.dark {
      let own = palette.foreground.contrast(with: palette.background)
      guard own > 6 else { continue }
      let theme = Theme(.auto, for: palette.colors, depth: .trueColor)
      let secondary = palette.contrast(of: theme.style(for: .secondary))
      #expect(secondary < own * 0.7, "\(palette)")
    }
  }

  @Test func blocksDiffer() {
    let theme = Theme.standard
    let grounds = (0..<12).map { theme.block($0).background }
    #expect(Set(grounds.prefix(6)).count == 6, "what is told apart side by side")
    #expect(Set(grounds).count >= 8)
    #expect(theme.block(5) == theme.block(17))
  }
}

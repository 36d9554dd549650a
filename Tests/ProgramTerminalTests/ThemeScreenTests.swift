import TestSupport
import Testing

/// Light and dark themes in the real program: their choice, and changes of it.
@Suite(.ownThreads) struct ThemeScreenTests {
  private let home: TemporaryFolder
  /// Written only once: a program that opens the file while it is written would find it empty.
  private let path: String
  private static let dark = "rgb:0000/0000/0000"
  private static let light = "rgba:ffff/ffff/ffff/ffff"

  init() throws {
    home = try TemporaryFolder()
    path = try home.write(
      #"{"author":{"name":"Gauge"},"content_text":"Words","tags":["tide"]}"# + "\n",
      to: "tides.jsonl")
  }

  private func open(
    background: String?, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> TerminalSession {
    var personality = TerminalPersonality.xterm
    personality.background = background
    return try ProgramUnderTest.start(
      ["--no-state", path] + arguments, home: home, environment: environment,
      personality: personality)
  }

  private func quit(_ session: TerminalSession) async throws {
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// The brightness of the tag's colour, 0 to 765; `nil` if the tag is not on the screen.
  private func brightness(_ screen: ScreenSnapshot) -> Int? {
    guard let row = screen.row(containing: "#tide"),
      let column = screen.cells[row].firstIndex(where: { $0.text == "#" })
    else { return nil }
    return screen.cells[row][column].foreground.brightness
  }

  private func shown(_ session: TerminalSession) async throws -> Int {
    let screen = try await session.settle { $0.contains("#tide") && $0.contains("post 1 of 1") }
    return try #require(brightness(screen))
  }

  @Test func theTerminalsBackgroundDecides() async throws {
    let dark = try open(background: Self.dark)
    let light = try open(background: Self.light)
    let unknown = try open(background: nil)
    let said = try open(background: nil, environment: ["COLORFGBG": "0;15"])
    let (onDark, onLight) = (try await shown(dark), try await shown(light))
    #expect(onDark > 360 && onLight < 360, "\(onDark) \(onLight)")
    #expect(try await shown(unknown) > 360)
    #expect(try await shown(said) < 360)
    for session in [dark, light, unknown, said] { try await quit(session) }
  }

  @Test func theUserCanOverrideIt() async throws {
    let asked = try open(background: Self.dark, ["--theme", "light"])
    #expect(try await shown(asked) < 360)
    try await quit(asked)
    try home.write("set theme light\n", to: "config/tideline/config")
    let configured = try open(background: Self.dark)
    #expect(try await shown(configured) < 360)
    try await quit(configured)
    let both = try open(background: Self.dark, ["--theme", "auto"])
    #expect(try await shown(both) > 360, "what is asked for now counts more")
    try await quit(both)
  }

  /// A theme of one's own by its name, in full or as one of those that the error lists.
  @Test func theOptionTakesAThemeOfOnesOwn() async throws {
    try home.write(
      "theme dawn light title=#803010\ntheme noon\ntheme light x\ntheme dusk title=#ebcb8b\n",
      to: "config/tideline/config")
    // The theme that the file makes last is in use without the option.
    let usual = try open(background: Self.dark)
    #expect(try await shown(usual) > 360)
    try await quit(usual)
    for arguments in [["--theme", "dawn"], ["--theme=dawn"], ["--theme", "light"]] {
      let session = try open(background: Self.dark, arguments)
      #expect(try await shown(session) < 360, "\(arguments)")
      await session.send(":set theme" + TerminalKey.enter)
      let name = arguments.joined().contains("dawn") ? "dawn" : "light"
      try await session.settle { $0.contains("theme is \(name)") }
      try await quit(session)
    }
    let names = try await ProgramUnderTest.run(["--list-themes"], home: home)
    #expect(names.text == "dawn\ndusk\n")
    let refused = try await ProgramUnderTest.run(["--theme", "dust", "--plain"], home: home)
    #expect(refused.status == .exited(64))
    #expect(
      refused.errorText
        == "tideline: --theme: no theme is called 'dust'; "
        + "there are 'auto', 'light', 'dark', 'dawn', 'dusk'\n")
  }

  /// The next frame draws the visible posts in the new colours and changes nothing else.
  @Test func aChangeShowsAtOnce() async throws {
    let session = try open(background: Self.dark)
    let before = try await session.settle { $0.contains("post 1 of 1") }
    let first = try #require(brightness(before))
    for (name, isLight) in [("light", true), ("dark", false), ("auto", false)] {
      await session.send(":set theme \(name)" + TerminalKey.enter)
      let after = try await session.settle { screen in
        guard !screen.contains(":set"), let value = brightness(screen) else { return false }
        return (value < 360) == isLight
      }
      #expect(after.withoutLastColumn.text == before.withoutLastColumn.text)
    }
    #expect(brightness(await session.snapshot) == first)
    await session.send(":set theme dusk" + TerminalKey.enter)
    try await session.settle { $0.contains("no theme is called 'dusk'") }
    try await quit(session)
  }
}

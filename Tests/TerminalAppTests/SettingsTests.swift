import Terminal
import TerminalViews
import TestSupport
import Testing

@testable import TerminalApp

/// What users choose, without an application.
@MainActor @Suite struct SettingsTests {
  private let folder: TemporaryFolder
  private let parts = ApplicationParts(ListPane())

  init() throws { folder = try TemporaryFolder() }

  private func load(_ text: String) throws -> [String] {
    parts.settings.load(ConfigurationFile(path: try folder.write(text, to: "config")))
  }

  @Test func aProgramWithItsOwnThemeHasNoSettingForIt() {
    let names = [":set animation", ":set mouse"]
    #expect(parts.settings.table.help.map(\.keys) == names + [":set theme"])
    let own = ApplicationParts(ListPane(), theme: .standard)
    #expect(own.settings.table.help.map(\.keys) == names)
    own.settings.appearance.choice = .light
    #expect(own.window.theme == .standard)
  }

  @Test func helpNamesTheColoursOfThemes() throws {
    let help = try #require(parts.settings.appearance.commands.first).help
    for name in NamedColors.Name.allCases { #expect(help.contains(name.rawValue)) }
  }

  @Test func aFileChangesSettingsAndKeys() throws {
    let problems = try load("set animation on\nset mouse off\nset theme light\nbind x end\n")
    #expect(problems.isEmpty && parts.notices.current == nil)
    #expect(!parts.settings.reducesMotion && !parts.display.reportsMouse)
    #expect(parts.settings.appearance.choice == .light)
    let light = Theme(.light, for: parts.display.colors, depth: parts.display.colorDepth)
    #expect(parts.window.theme == light)
    #expect(parts.dispatcher.bindings.labels([("end", "G")]) == ["G"])
    #expect(parts.dispatcher.bindings.keys(for: "end") == ["x"])
  }

  /// A name alone asks for the value after `:`; in a file the value was forgotten.
  @Test(arguments: ["set animation", "set theme # none"])
  func aNameAloneIsReported(line: String) throws {
    let problems = try load(line + "\nset mouse off\n")
    let words = line.split(separator: " ").prefix(2).joined(separator: " ")
    #expect(problems == ["\(folder.path)/config:1: '\(words)' lacks a value"])
    #expect(!parts.display.reportsMouse, "other lines count")
  }

  @Test func theThemeFollowsTheTerminalAndTheUser() {
    let before = parts.window.theme
    var colors = TerminalColors()
    (colors.foreground, colors.background) = (RGB(0, 0, 0), RGB(255, 255, 255))
    parts.display.colors = colors
    parts.settings.appearance.update()
    #expect(parts.window.theme == Theme(.auto, for: colors, depth: .trueColor))
    #expect(parts.window.theme != before)
    parts.settings.appearance.choice = .dark
    #expect(parts.window.theme == Theme(.dark, for: colors, depth: .trueColor))
  }

  @Test func theFirstProblemIsShownAndFiftyAreRecorded() throws {
    let lines = (1...60).map { "tide-\($0)" }.joined(separator: "\n")
    let problems = try load("next\n" + lines + "\nset animation on\n")
    #expect(problems.count == 61 && !parts.settings.reducesMotion, "other lines count")
    #expect(problems.allSatisfy { $0.hasPrefix(folder.path + "/config:") })
    let first = "config:1: 'next' is for keys and ':'; a file takes bind, set, theme, unbind"
    #expect(parts.notices.current?.text == first + " (60 more in :messages)")
    #expect(parts.notices.current?.kind == .refusal)
    #expect(parts.notices.log.count == 51)
    #expect(parts.notices.log.first?.text == "config:51: no command is called 'tide-50'")
  }

  @Test func keysAreCompletedByTheNamesOfAllCommands() throws {
    let table = parts.dispatcher.commands.configuration
    let bind = try #require(table.command(named: "bind"))
    #expect(bind.completions([]).isEmpty)
    #expect(bind.completions(["x"]).contains { $0.text == "page-down" })
    let set = try #require(table.command(named: "set"))
    #expect(set.completions([]).map(\.text) == ["animation", "mouse", "theme"])
    #expect(set.completions(["theme"]).map(\.text) == ["auto", "light", "dark"])
  }
}

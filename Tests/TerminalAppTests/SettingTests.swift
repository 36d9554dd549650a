import Geometry
import Terminal
import TerminalViews
import TestSupport
import Testing

@testable import TerminalApp

/// `set NAME VALUE`, after `:` and in a file.
@MainActor @Suite struct SettingTests {
  private let folder: TemporaryFolder
  private let screen = TestScreen(ListPane(), width: 90, height: 60)
  private let lamp = Lamp()

  /// An object with a colour to choose and a level to type.
  private final class Lamp {
    var color = "red"
    var level = 7
  }

  init() throws {
    folder = try TemporaryFolder()
    let lamp = lamp
    screen.application.settings.add([
      Setting("color", values: ["red", "green"], help: "the lamp's colour") {
        lamp.color
      } change: {
        lamp.color = $0
        return .done
      },
      Setting("level", values: ["off"], other: "NUMBER", help: "how bright the lamp is") {
        "\(lamp.level)"
      } change: { value in
        guard let level = value == "off" ? 0 : Int(value) else {
          return .refused("level is a number, not '\(value.prefix(20))'")
        }
        lamp.level = level
        return .done
      },
    ])
  }

  private var status: String { screen.lines[screen.lines.count - 1] }

  @Test(
    arguments: [
      ("set color green", "green", 7, ""), ("set level 3", "red", 3, ""),
      ("set level off", "red", 0, ""), ("  set   color   green  ", "green", 7, ""),
      ("set color", "red", 7, "color is red"), ("set level", "red", 7, "level is 7"),
      ("set color blue", "red", 7, "color is red or green, not 'blue'"),
      ("set color green red", "red", 7, "color is red or green, not 'green red'"),
      ("set level high", "red", 7, "level is a number, not 'high'"),
      ("set colour red", "red", 7, "no setting is called 'colour'; nearest: color"),
      ("set", "red", 7, "it takes a name and a value: set animation off"),
      ("set \u{1B}[31m", "red", 7, "no setting is called '"),
    ])
  func setChangesTheSetting(line: String, color: String, level: Int, told: String) throws {
    screen.type(":\(line.filter { $0 != "\u{1B}" })\n")
    #expect((lamp.color, lamp.level) == (color, level))
    #expect(told.isEmpty ? !status.contains("set") : status.contains(told), "\(status)")
    (lamp.color, lamp.level) = ("red", 7)
    let file = ConfigurationFile(path: try folder.write(line + "\n", to: "config"))
    let problems = screen.application.load(file)
    #expect((lamp.color, lamp.level) == (color, level))
    #expect(problems.isEmpty == told.isEmpty, "\(problems)")
    // In a file a name alone asks no one.
    let isQuestion = line == "set color" || line == "set level"
    let problem = isQuestion ? "'\(line)' lacks a value" : told
    #expect(problems.allSatisfy { $0.contains("config:1: \(problem)") && !$0.contains("\u{1B}") })
  }

  @Test func tabCompletesNamesAndValues() {
    func after(_ typed: String) -> (line: String, hint: String) {
      let tall = TestScreen(List([Item](), cell: Cell.self), width: 90, height: 14)
      tall.application.settings.add([
        Setting("color", values: ["red", "green", "grey"], help: "the lamp's colour") {
          "red"
        } change: { _ in
          .done
        }
      ])
      tall.type(":\(typed)").send([.key(.tab)])
      return (tall.lines[tall.lines.count - 2], tall.lines[tall.lines.count - 1])
    }
    #expect(after("set c").line == " :set color")
    #expect(after("set color").hint.contains("red, green or grey: the lamp's colour; now red"))
    #expect(after("set color gr").hint == " green   grey")
    #expect(after("set color gre").line == " :set color green")
    #expect(after("set color red").line == " :set color red")
    #expect(after("set an").line == " :set animation")
    #expect(after("set animation of").line == " :set animation off")
    #expect(after("set color blue").line == " :set color blue")
    #expect(after("set nothing x").line == " :set nothing x")
    #expect(after("bind J page-d").line == " :bind J page-down")
    #expect(after("5 next 3").line == " :5 next 3")
  }

  private struct Item: Identifiable { let id: Int }
  private final class Cell: ItemCell<Item> {
    override func setUp() {}
    override func show(_ item: Item) {}
  }

  @Test func theHelpPageNamesSettingsAndTheirValues() {
    screen.type("?")
    #expect(screen.lines.contains { $0.contains(":set color") && $0.contains("red or green") })
    #expect(screen.lines.contains { $0.contains(":set mouse") && $0.contains("on or off") })
  }

  @Test func everyProgramHasAnimationAndMouse() {
    let application = screen.application
    #expect(application.reducesMotion)
    screen.type(":set animation on\n")
    #expect(!application.reducesMotion)
    screen.type(":set animation off\n")
    #expect(application.reducesMotion)
    #expect(application.display.reportsMouse)
    screen.type(":set mouse off\n")
    #expect(!application.display.reportsMouse)
    screen.type(":set mouse\n")
    #expect(status.contains("mouse is off"))
  }

  // MARK: Themes of the user's

  @Test func aThemeIsMadeUsedAndLeft() {
    let application = screen.application
    screen.type(":theme dusk dark title=#ebcb8b accent=#8cf\n")
    let theme = application.window.theme
    #expect(theme.title == Color(RGB(0xeb, 0xcb, 0x8b)))
    #expect(theme.accent == Color(RGB(0x88, 0xcc, 0xff)) && theme.link == theme.accent)
    #expect(application.themeChoice == .dark)
    screen.type(":set theme\n")
    #expect(status.contains("theme is dusk"))
    screen.type(":set theme auto\n")
    #expect(application.window.theme.title != theme.title)
    screen.type(":theme dusk\n")
    #expect(application.window.theme == theme)
    screen.type(":set theme light\n:set theme dusk\n")
    #expect(application.window.theme == theme)
  }

  @Test func aLowContrastIsToldAndUsed() {
    screen.type(":theme murk dark title=#333333 mark=#444444 link=#ffffff\n")
    #expect(status.contains("theme murk: low contrast: title 1") && status.contains(", mark 1"))
    #expect(!status.contains("link"))
    #expect(screen.application.window.theme.title == Color(RGB(0x33, 0x33, 0x33)))
  }

  @Test(arguments: [
    ("theme", "a name and colours"), ("theme dusk titel=#fff", "title"),
    ("theme dusk title=red", "title=#8fbcbb"), ("theme dusk title=#ffff", "title=#8fbcbb"),
    ("theme dusk title", "title=#8fbcbb"), ("theme light title=#fff", "needs another name"),
    ("theme none", "no theme is called"), ("set theme none", "no theme is called"),
  ])
  func badThemesAreRefused(line: String, reason: String) {
    let before = screen.application.window.theme
    screen.type(":\(line)\n")
    #expect(status.contains(reason), "\(status)")
    #expect(screen.application.window.theme == before)
  }

  @Test func panelsHaveTheirBackground() {
    screen.type(":theme dusk panel=#223344\n")
    let panel = ListPane()
    screen.after {
      screen.application.window.present(panel, at: .centered(Size(width: 20, height: 5)))
    }
    let color = Color(RGB(0x22, 0x33, 0x44))
    let (width, height) = (screen.canvas.size.width, screen.canvas.size.height)
    let tinted = (0..<height).flatMap { y in
      (0..<width).filter { screen.canvas[$0, y].style.background == color }
    }
    #expect(tinted.count == 100)
  }

  // MARK: Large and damaged files

  @Test func theFirstLinesOfALargeFileCount() throws {
    let most = ConfigurationFile.maximumBytes
    let line = "set level 3\n"
    let comments = String(repeating: "# a remark about the lamp\n", count: 1_000_000)
    let path = try folder.write(line + comments, to: "config")
    let problems = screen.application.load(ConfigurationFile(path: path))
    let lines = 1 + (most - line.utf8.count) / 26
    #expect(
      problems == [
        "\(path): larger than 64 KiB: what stands after line \(lines) is not read"
      ])
    #expect(lamp.level == 3)
  }

  @Test func aTruncatedLineIsIgnored() throws {
    let most = ConfigurationFile.maximumBytes
    let filler = "#" + String(repeating: " ", count: most - 1 - 13) + "\n"
    // "set level 1" would be within the limit, "set level 12345" is not.
    let path = try folder.write(filler + "set level 12345\n", to: "config")
    #expect(screen.application.load(ConfigurationFile(path: path)).count == 1)
    #expect(lamp.level == 7)
  }

  @Test func binaryLinesAreReported() throws {
    var generator = SeededGenerator(seed: .random(in: 0 ... .max))
    var bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes += Array("\nset color green\n".utf8)
    let path = try folder.write(bytes, to: "config")
    let problems = screen.application.load(ConfigurationFile(path: path))
    #expect(lamp.color == "green", "\(generator)")
    #expect(!problems.isEmpty && problems.allSatisfy { $0.hasPrefix(path + ":") }, "\(generator)")
    #expect(
      problems.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } },
      "\(generator)")
  }

  @Test func argumentsAreReadWithoutAnApplication() throws {
    let text =
      "# source a b\n source news  https://a.example/ x # that is it\nset color green\nsource\n"
    let file = ConfigurationFile(path: try folder.write(text, to: "config"))
    #expect(file.arguments(ofCommand: "source") == ["news  https://a.example/ x", ""])
    #expect(ConfigurationFile(path: folder.path).arguments(ofCommand: "source") == [])
  }
}

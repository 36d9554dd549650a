import Terminal
import TerminalViews
import TextLayout

/// Owns the choice of the window's theme, and the themes that the user has made.
@MainActor final class Appearance {
  /// The background that the user chose colours for.
  var choice = ThemeChoice.auto { didSet { update() } }
  private let display: any Display
  private let window: Window
  /// Whether the program set a theme of its own; the terminal's colours then do not matter.
  private let isFixed: Bool
  private var themes: [String: OwnTheme] = [:]
  /// The name of the user's theme in use; `nil` if there is none.
  private var used: String?
  /// Reports to the user.
  var tell: (String) -> Void = { _ in }

  /// - Parameter theme: the program's own theme; `nil` for one derived from the terminal's colours.
  init(_ theme: Theme?, of window: Window, on display: any Display) {
    self.window = window
    self.display = display
    isFixed = theme != nil
  }

  /// The theme at the start.
  static func theme(_ theme: Theme?, on display: any Display) -> Theme {
    theme ?? Theme(.auto, for: display.colors, depth: display.colorDepth)
  }

  /// Call this when the terminal has reported other colours.
  func update() {
    guard !isFixed else { return }
    let own = used.flatMap { themes[$0] }
    window.theme = Theme(
      choice, for: display.colors, depth: display.colorDepth,
      named: own?.colors ?? NamedColors())
  }

  // MARK: Settings and commands

  /// The setting `theme`; none if the program has a theme of its own.
  var settings: [Setting] {
    guard !isFixed else { return [] }
    return [
      Setting(
        "theme", values: ThemeChoice.allCases.map(\.rawValue), other: "NAME",
        help: "the background that colours are chosen for, auto the terminal's; or your own theme",
        current: { [unowned self] in used ?? choice.rawValue },
        change: { [unowned self] name in
          CommandOutcome.of { () throws(CommandRefusal) in try choose(name) }
        })
    ]
  }

  /// Uses the theme with a name: a background, or one of the user's own.
  func choose(_ name: String) throws(CommandRefusal) {
    guard let choice = ThemeChoice(rawValue: name) else { return try use(name) }
    used = nil
    self.choice = choice
  }

  /// The command `theme`; none if the program has a theme of its own.
  var commands: [Command<Appearance>] {
    guard !isFixed else { return [] }
    return [
      Command(
        "theme", argument: "NAME COLOUR=#RRGGBB…",
        help: "make a theme of your own, with a colour for accent, secondary, title, link, mark, "
          + "warning, panel",
        completions: { appearance, words in
          words.isEmpty
            ? appearance.themes.keys.sorted().map { Completion($0) }
            : NamedColors.Name.allCases.map { Completion("\($0.rawValue)=") }
        },
        action: { appearance, call in
          CommandOutcome.of { () throws(CommandRefusal) in try appearance.make(call.argument) }
        })
    ]
  }

  /// Makes the theme of the argument of `theme`, a name and its colours, and uses it; a name alone
  /// uses the theme that was made before.
  private func make(_ argument: String) throws(CommandRefusal) {
    let words = argument.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = words.first.map({ String($0) }) else {
      throw CommandRefusal(reason: "it takes a name and colours: theme dusk title=#ebcb8b")
    }
    guard words.count > 1 else { return try use(name) }
    guard ThemeChoice(rawValue: name) == nil else {
      throw CommandRefusal(reason: "\(name) is a theme already; yours needs another name")
    }
    themes[name] = try OwnTheme(words[1])
    try use(name)
  }

  private func use(_ name: String) throws(CommandRefusal) {
    guard let theme = themes[name] else {
      let names = themes.keys.sorted() + ThemeChoice.allCases.map(\.rawValue)
      throw CommandRefusal(reason: "no theme is called \(NearestNames.quoted(name, among: names))")
    }
    used = name
    choice = theme.choice
    if let trouble = theme.trouble(choice, on: display.colors) { tell("theme \(name): \(trouble)") }
  }
}

import Terminal
import TerminalViews

/// Which theme the window has, and why: the one owner of that choice.
@MainActor final class Appearance {
  /// For which background the user wants it.
  var choice = ThemeChoice.auto { didSet { update() } }
  private let display: any Display
  private let window: Window
  /// The program's own, which the terminal has no part in.
  private let isFixed: Bool

  /// - Parameter theme: the program's own; nil for one that is made for the terminal.
  init(_ theme: Theme?, of window: Window, on display: any Display) {
    self.window = window
    self.display = display
    isFixed = theme != nil
  }

  /// The theme to begin with.
  static func theme(_ theme: Theme?, on display: any Display) -> Theme {
    theme ?? Theme(.auto, for: display.colors, depth: display.colorDepth)
  }

  /// To be called when the terminal has told other colours.
  func update() {
    guard !isFixed else { return }
    window.theme = Theme(choice, for: display.colors, depth: display.colorDepth)
  }

  /// What `set theme` changes; none where the program has a theme of its own.
  var settings: [Setting] {
    guard !isFixed else { return [] }
    return [
      Setting(
        "theme", values: ThemeChoice.allCases.map(\.rawValue),
        help: "for which background colours are chosen; auto is the terminal's own",
        current: { [unowned self] in choice.rawValue },
        change: { [unowned self] value in
          guard let choice = ThemeChoice(rawValue: value) else { return .passed }
          self.choice = choice
          return .done
        })
    ]
  }
}

import Terminal
import TerminalViews

/// Owns the choice of the window's theme.
@MainActor final class Appearance {
  /// The background that the user chose colours for.
  var choice = ThemeChoice.auto { didSet { update() } }
  private let display: any Display
  private let window: Window
  /// Whether the program set a theme of its own; the terminal's colours then do not matter.
  private let isFixed: Bool

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
    window.theme = Theme(choice, for: display.colors, depth: display.colorDepth)
  }

  /// The setting `theme`; none if the program has a theme of its own.
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

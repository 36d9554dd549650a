import TerminalApp

/// When a post becomes read by itself; the raw values are those of the setting `mark-read`.
enum MarkReadRule: String, CaseIterable {
  /// When it is opened, or when the selection leaves it downwards after its end was on the screen.
  case passed
  /// When it is opened.
  case opened
  /// Never.
  case never
}

/// Owns the rule by which posts become read, on all screens of a program.
@MainActor final class MarkReadChoice {
  private(set) var rule = MarkReadRule.passed

  /// The setting `mark-read`.
  var setting: Setting {
    Setting(
      "mark-read", values: MarkReadRule.allCases.map(\.rawValue),
      help:
        "when a post becomes read: when you open it or go past its end, when you open it, never",
      current: { [unowned self] in rule.rawValue },
      change: { [unowned self] value in
        if let rule = MarkReadRule(rawValue: value) { self.rule = rule }
        return .done
      })
  }
}

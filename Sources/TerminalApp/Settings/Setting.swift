import TextLayout

/// A setting of the user: `set NAME VALUE` changes it, after `:` and in a ``ConfigurationFile``.
public struct Setting {
  let name: String
  let values: [String]
  let placeholder: String?
  let help: String
  let current: @MainActor () -> String
  let change: @MainActor (String) -> CommandOutcome

  /// - Parameters:
  ///   - name: lowercase letters and hyphens: `theme`.
  ///   - values: the values to choose from.
  ///   - other: the help page's name for any other value: `COLUMNS`; `nil`, the default, if only
  ///     `values` are accepted.
  ///   - help: one line for the help page.
  ///   - current: returns the current value, in the words that set it.
  ///   - change: receives the new value, one of `values` unless others are accepted; the reason for
  ///     a refusal is shown.
  public init(
    _ name: String, values: [String], other: String? = nil, help: String,
    current: @escaping @MainActor () -> String,
    change: @escaping @MainActor (String) -> CommandOutcome
  ) {
    self.name = name
    self.values = values
    placeholder = other
    self.help = help
    self.current = current
    self.change = change
  }

  /// The possible values in one line: `auto, light, dark or COLUMNS`.
  var choices: String {
    let all = values + (placeholder.map { [$0] } ?? [])
    guard let last = all.last, all.count > 1 else { return all.joined() }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The settings of a program, by their names.
@MainActor public final class SettingTable {
  private var settings: [Setting] = []

  init() {}

  /// Adds settings; a setting replaces one with the same name.
  ///
  /// - Complexity: O(n) in the existing settings, for each.
  public func add(_ more: [Setting]) {
    for setting in more {
      settings.removeAll { $0.name == setting.name }
      settings.append(setting)
    }
  }

  /// The lines of the help page for the settings.
  var help: [CommandTable.HelpLine] {
    settings.map {
      CommandTable.HelpLine(
        keys: ":set \($0.name)", text: "\($0.choices): \($0.help)",
        heading: .settings)
    }
  }

  /// Performs `set` with its argument: a name and a value changes the setting; a name alone asks
  /// for the current value.
  ///
  /// - Returns: the current value, in words, if only a name was given.
  func set(_ argument: String) throws(CommandRefusal) -> String? {
    let words = argument.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = words.first.map({ String($0) }) else {
      throw CommandRefusal(reason: "it takes a name and a value: \(example)")
    }
    guard let setting = settings.first(where: { $0.name == name }) else {
      let names = settings.map(\.name).sorted()
      throw CommandRefusal(
        reason: "no setting is called \(NearestNames.quoted(name, among: names))")
    }
    guard words.count > 1 else { return "\(name) is \(setting.current())" }
    let value = String(words[1].drop { $0.isWhitespace })
    guard setting.placeholder != nil || setting.values.contains(value) else {
      let quoted = NearestNames.quoted(value, among: [])
      throw CommandRefusal(reason: "\(name) is \(setting.choices), not \(quoted)")
    }
    if case .refused(let reason) = setting.change(value) { throw CommandRefusal(reason: reason) }
    return nil
  }

  private var example: String {
    guard let first = settings.first else { return "set NAME VALUE" }
    return "set \(first.name) \(first.values.last ?? "VALUE")"
  }

  /// The words that may follow those typed after `set`.
  func completions(after words: [String]) -> [Completion] {
    switch words.count {
    case 0:
      settings.sorted { $0.name < $1.name }
        .map { Completion($0.name, help: "\($0.choices): \($0.help); now \($0.current())") }
    case 1:
      settings.first { $0.name == words[0] }?.values.map { Completion($0) } ?? []
    default: []
    }
  }
}

/// A word that can be typed next, after `:`.
public struct Completion: Hashable, Sendable {
  let text: String
  let help: String

  /// - Parameter help: a description in one line, shown when no other completion is left.
  public init(_ text: String, help: String = "") {
    self.text = text
    self.help = help
  }
}

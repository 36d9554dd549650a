import Terminal

/// A key press or a step of the mouse wheel, by the name used in bindings: `j`, `G`, `space`,
/// `page-down`, `f12`, `ctrl-e`, `shift-tab`, `wheel-up`. The help page's names are accepted too:
/// `PgDn`, `Ctrl-E`.
public struct KeyStroke: Hashable, Sendable {
  private enum Source: Hashable, Sendable {
    case key(Key)
    case any, wheelUp, wheelDown
  }

  private let source: Source
  private let modifiers: KeyModifiers

  /// Any key of the keyboard, but no step of the wheel.
  public static let any = KeyStroke(.any)
  /// A step of the wheel away from the user.
  public static let wheelUp = KeyStroke(.wheelUp)
  /// A step of the wheel towards the user.
  public static let wheelDown = KeyStroke(.wheelDown)

  private static let named: [(key: Key, name: String, label: String)] = [
    (.up, "up", "↑"), (.down, "down", "↓"), (.left, "left", "←"), (.right, "right", "→"),
    (.pageUp, "page-up", "PgUp"), (.pageDown, "page-down", "PgDn"), (.home, "home", "Home"),
    (.end, "end", "End"), (.enter, "enter", "Enter"), (.escape, "escape", "Esc"),
    (.tab, "tab", "Tab"), (.backspace, "backspace", "Backspace"), (.delete, "delete", "Del"),
    (.insert, "insert", "Ins"),
  ]

  /// The names of keys that are not written as their character.
  static var names: [String] { named.map(\.name) + ["space"] }

  private init(_ source: Source, _ modifiers: KeyModifiers = []) {
    (self.source, self.modifiers) = (source, modifiers)
  }

  /// The stroke of a key.
  public init(_ key: Key, _ modifiers: KeyModifiers = []) { self.init(.key(key), modifiers) }

  private static let modifierNames: [(String, KeyModifiers)] = [
    ("Ctrl-", .control), ("Alt-", .alt), ("Shift-", .shift),
  ]

  /// The stroke called `name`, regardless of case unless the key is a single character; `nil` for
  /// an unknown name.
  public init?(_ name: some StringProtocol) {
    if let character = name.first, character.isASCII, name.unicodeScalars.count == 1 {
      self.init(character, [])
      return
    }
    var modifiers: KeyModifiers = []
    var rest = Substring(name)
    while let (prefix, modifier) = Self.modifierNames.first(where: {
      rest.lowercased().hasPrefix($0.0.lowercased())
    }), rest.count > prefix.count {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    let key = rest.lowercased()
    if let known = Self.named.first(where: { $0.name == key || $0.label.lowercased() == key }) {
      self.init(known.key, modifiers)
    } else if rest.unicodeScalars.count == 1, let character = rest.first {
      self.init(character, modifiers)
    } else if key == "space" {
      self.init(" ", modifiers)
    } else if key.first == "f", let number = Int(key.dropFirst()), (1...99).contains(number) {
      self.init(.function(number), modifiers)
    } else if modifiers.isEmpty, key == "wheel-up" || key == "wheel-down" {
      self = key == "wheel-up" ? .wheelUp : .wheelDown
    } else {
      return nil
    }
  }

  /// The stroke of a character as terminals report it: letters with Control are lowercase, letters
  /// with Shift uppercase.
  private init?(_ character: Character, _ modifiers: KeyModifiers) {
    var (letter, modifiers) = (character, modifiers)
    let isLetter = character.isASCII && character.isLetter
    if modifiers.contains(.control), isLetter {
      letter = Character(character.lowercased())
    } else if modifiers.contains(.shift) {
      guard isLetter else { return nil }
      letter = Character(character.uppercased())
    }
    modifiers.remove(.shift)
    self.init(.character(letter), modifiers)
  }

  /// The value of a digit without modifiers; `nil` for other strokes.
  var digit: Int? {
    guard modifiers.isEmpty, case .key(.character(let character)) = source, character.isASCII
    else { return nil }
    return character.wholeNumberValue
  }

  var isWheel: Bool { self == .wheelUp || self == .wheelDown }

  /// This stroke without modifiers that few terminals report: all but Control on a character.
  var plain: KeyStroke {
    let isCharacter = if case .key(.character) = source { true } else { false }
    return KeyStroke(source, isCharacter ? modifiers.intersection(.control) : [])
  }

  /// The name on the help page: `Ctrl-E`, `PgDn`, `↓`.
  public var label: String {
    let text = Self.modifierNames.filter { modifiers.contains($0.1) }.map(\.0).joined()
    switch source {
    case .key(.character(" ")): return text + "Space"
    case .key(.character(let character)):
      return text + (modifiers.isEmpty ? String(character) : character.uppercased())
    case .key(.function(let number)): return text + "F\(number)"
    case .key(let key): return text + (Self.named.first { $0.key == key }?.label ?? "")
    case .any: return text + "any key"
    case .wheelUp, .wheelDown: return text + "wheel"
    }
  }
}

/// One or more consecutive strokes: `"j"`, `"ctrl-e"` or `"z t"`.
public struct KeySequence: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The strokes before the last. Empty in most sequences, so that a lookup allocates nothing.
  let prefix: [KeyStroke]
  let last: KeyStroke

  /// All strokes in order.
  public var strokes: [KeyStroke] { prefix + [last] }

  /// Strokes by name, separated by spaces; `nil` if there is an unknown name, or none.
  public init?(_ names: String) {
    let parts = names.split(separator: " ")
    let strokes = parts.compactMap { KeyStroke($0) }
    guard strokes.count == parts.count else { return nil }
    self.init(strokes)
  }

  /// - Precondition: every name is that of a stroke.
  public init(stringLiteral names: String) {
    guard let sequence = KeySequence(names) else { preconditionFailure("no keys: \"\(names)\"") }
    self = sequence
  }

  /// A single stroke.
  public init(_ stroke: KeyStroke) { self.init(stroke, after: []) }

  init(_ last: KeyStroke, after prefix: [KeyStroke]) {
    self.prefix = prefix
    self.last = last
  }

  /// `nil` for an empty array.
  init?(_ strokes: [KeyStroke]) {
    guard let last = strokes.last else { return nil }
    self.init(last, after: strokes.dropLast())
  }

  /// This sequence without those modifiers of its last stroke that few terminals report.
  var plain: KeySequence { KeySequence(last.plain, after: prefix) }

  /// Whether this sequence is longer than `beginning` and begins with it.
  func goesOn(after beginning: KeySequence) -> Bool {
    let count = beginning.prefix.count
    return prefix.count > count && prefix[count] == beginning.last
      && prefix.starts(with: beginning.prefix)
  }

  /// The name on the help page.
  public var label: String { strokes.map(\.label).joined() }
}

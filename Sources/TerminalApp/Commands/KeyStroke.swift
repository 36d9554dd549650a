import Terminal

/// A key press or a step of the mouse wheel, by the name used in bindings: `j`, `G`, `space`,
/// `page-down`, `f12`, `ctrl-e`, `shift-tab`, `wheel-up`. The help page's names are accepted too:
/// `PgDn`, `Ctrl-E`.
public struct KeyStroke: Hashable, Sendable {
  /// The code point of a character, or `firstNamed` plus an offset for other keys.
  private let code: UInt32
  private let modifiers: UInt8

  /// Any key of the keyboard, but no step of the wheel.
  public static let any = KeyStroke(code: firstNamed + 1_000, [])
  /// A step of the wheel away from the user.
  public static let wheelUp = KeyStroke(code: firstNamed + 1_001, [])
  /// A step of the wheel towards the user.
  public static let wheelDown = KeyStroke(code: firstNamed + 1_002, [])

  private static let firstNamed: UInt32 = 0x11_0000
  private static let firstFunction = firstNamed + 100
  private static let named: [(key: Key, name: String, label: String)] = [
    (.up, "up", "↑"), (.down, "down", "↓"), (.left, "left", "←"), (.right, "right", "→"),
    (.pageUp, "page-up", "PgUp"), (.pageDown, "page-down", "PgDn"), (.home, "home", "Home"),
    (.end, "end", "End"), (.enter, "enter", "Enter"), (.escape, "escape", "Esc"),
    (.tab, "tab", "Tab"), (.backspace, "backspace", "Backspace"), (.delete, "delete", "Del"),
    (.insert, "insert", "Ins"),
  ]

  /// The names of keys that are not written as their character.
  static var names: [String] { named.map(\.name) + ["space"] }

  private init(code: UInt32, _ modifiers: KeyModifiers) {
    self.code = code
    self.modifiers = modifiers.rawValue
  }

  /// The stroke of a key.
  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    let code: UInt32
    switch key {
    case .character(let character): code = character.unicodeScalars.first?.value ?? 0
    case .function(let number): code = Self.firstFunction + UInt32(clamping: min(number, 99))
    default:
      let index = Self.named.firstIndex { $0.key == key } ?? 0
      code = Self.firstNamed + UInt32(index)
    }
    self.init(code: code, modifiers)
  }

  private static let modifierNames: [(String, KeyModifiers)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  /// The stroke called `name`, regardless of case unless the key is a single character; `nil` for
  /// an unknown name.
  public init?(_ name: some StringProtocol) {
    var modifiers: KeyModifiers = []
    var rest = Substring(name)
    while let (prefix, modifier) = Self.modifierNames.first(where: {
      rest.prefix($0.0.count).lowercased() == $0.0
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
    guard modifiers == 0, (0x30...0x39).contains(code) else { return nil }
    return Int(code) - 0x30
  }

  var isWheel: Bool { self == .wheelUp || self == .wheelDown }

  /// This stroke without modifiers that few terminals report: all but Control on a character.
  var plain: KeyStroke {
    let kept = KeyModifiers(rawValue: modifiers).intersection(.control)
    return KeyStroke(code: code, code < Self.firstNamed ? kept : [])
  }

  /// The name on the help page: `Ctrl-E`, `PgDn`, `↓`.
  public var label: String {
    let held = KeyModifiers(rawValue: modifiers)
    var text = held.contains(.control) ? "Ctrl-" : ""
    if held.contains(.alt) { text += "Alt-" }
    if held.contains(.shift) { text += "Shift-" }
    if let scalar = Unicode.Scalar(code) {
      guard scalar != " " else { return text + "Space" }
      return text + (held.isEmpty ? String(scalar) : String(scalar).uppercased())
    }
    if self == .any { return text + "any key" }
    if isWheel { return text + "wheel" }
    if code >= Self.firstFunction { return text + "F\(code - Self.firstFunction)" }
    return text + Self.named[Int(code - Self.firstNamed)].label
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

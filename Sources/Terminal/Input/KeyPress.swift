/// A key and its modifiers.
struct KeyPress: Hashable {
  var key: Key
  var modifiers: KeyModifiers = []

  init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  var event: InputEvent { .key(key, modifiers) }

  /// The key of a typed code point; a control character is the key that sends it.
  init(typed scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0: self.init(.character(" "), .control)
    case 8, 0x7F: self.init(.backspace)
    case 9: self.init(.tab)
    case 10, 13: self.init(.enter)
    case 27: self.init(.escape)
    case 1...26:
      self.init(.character(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60))), .control)
    case 28...31:
      self.init(.character(Character(Unicode.Scalar(UInt8(scalar.value) + 0x40))), .control)
    default: self.init(.character(Character(scalar)))
    }
  }

  /// ESC O and a letter: keys in application mode, the keypad, and rxvt's arrows with Control.
  init?(singleShift final: UInt8, parameter: Int?) {
    let modifiers = KeyModifiers(parameter: parameter ?? 1)
    switch final {
    case 0x61...0x64:  // a…d
      guard let key = Self.letterKeys[final - 0x20] else { return nil }
      self.init(key, modifiers.union(.control))
    case 0x4D: self.init(.enter, modifiers)
    case 0x6A...0x79:  // j…y: * + , - . / 0 … 9
      self.init(.character(Character(Unicode.Scalar(final - 0x40))), modifiers)
    case 0x58: self.init(.character("="), modifiers)
    default:
      guard let key = Self.letterKeys[final] else { return nil }
      self.init(key, modifiers)
    }
  }

  /// ESC [ … of xterm and similar terminals, of rxvt, and of the kitty keyboard protocol; `nil` if
  /// it is no key.
  init?(_ sequence: ControlSequence) {
    guard sequence.intermediates.isEmpty else { return nil }
    // In the kitty protocol: the release of a key.
    if sequence.parameters.count > 1, sequence.parameters[1].count > 1,
      sequence.parameters[1][1] == 3
    {
      return nil
    }
    let first = sequence.value(0, default: 1)
    let modifiers = KeyModifiers(parameter: sequence.value(1, default: 1))
    switch sequence.final {
    case 0x7E:  // ~
      if first == 27, sequence.parameters.count == 3 {
        self.init(code: sequence.value(2, default: 0), shifted: nil, modifiers)
      } else {
        guard let key = Self.numberedKeys[first] else { return nil }
        self.init(key, modifiers)
      }
    case 0x24, 0x5E, 0x40:  // $ ^ @: rxvt
      guard let key = Self.numberedKeys[first] else { return nil }
      let held: KeyModifiers =
        sequence.final == 0x24 ? .shift : sequence.final == 0x5E ? .control : [.shift, .control]
      self.init(key, held)
    case 0x61...0x64:  // a…d: rxvt
      guard let key = Self.letterKeys[sequence.final - 0x20] else { return nil }
      self.init(key, .shift)
    case 0x5A: self.init(.tab, modifiers.union(.shift))
    case 0x75:  // u
      let alternates = sequence.parameters.first ?? []
      self.init(
        code: first, shifted: alternates.count > 1 ? alternates[1] : nil, modifiers)
    default:
      guard let key = Self.letterKeys[sequence.final] else { return nil }
      self.init(key, modifiers)
    }
  }

  /// A key by its code point, as the kitty protocol and xterm's modifyOtherKeys name it.
  private init?(code: Int, shifted: Int?, _ modifiers: KeyModifiers) {
    switch code {
    case 57399...57408:  // keypad 0…9
      self.init(.character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30)))), modifiers)
    case 57414: self.init(.enter, modifiers)
    case 57417...57426:
      let keys: [Key] = [
        .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
      ]
      self.init(keys[code - 57417], modifiers)
    case 57344...63743: return nil  // Modifiers by themselves, media keys.
    default:
      guard let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
      var press = KeyPress(typed: scalar)
      if case .character(let character) = press.key, press.modifiers.isEmpty {
        if modifiers.contains(.shift), !modifiers.contains(.control) {
          if let shifted, let other = Unicode.Scalar(UInt32(shifted)) {
            press.key = .character(Character(other))
          } else if let upper = character.uppercased().first {
            press.key = .character(upper)
          }
          press.modifiers = modifiers.subtracting(.shift)
        } else {
          press.modifiers = modifiers
        }
      } else {
        press.modifiers.formUnion(modifiers)
      }
      self = press
    }
  }

  private static let letterKeys: [UInt8: Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let numberedKeys: [Int: Key] = {
    var keys: [Int: Key] = [
      1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]
    let functions = [
      11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34,
    ]
    for (index, number) in functions.enumerated() { keys[number] = .function(index + 1) }
    return keys
  }()
}

extension KeyModifiers {
  /// From xterm's parameter: one more than the sum of shift 1, alt 2 and control 4. Higher bits, of
  /// locks and rare keys, are ignored.
  init(parameter: Int) {
    self.init(bits: max(0, parameter - 1))
  }

  /// From the sum of shift 1, alt 2 and control 4 that terminals report; higher bits are ignored.
  init(bits: Int) { self.init(rawValue: UInt8(bits & 7)) }
}

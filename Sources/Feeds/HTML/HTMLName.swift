/// The name of an element of HTML in lower case, as two numbers: told apart without hashing a string.
struct HTMLName: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// - Complexity: O(n) in the bytes.
  init(_ bytes: some Sequence<UInt8>) {
    for (index, byte) in bytes.enumerated() {
      let lower = (65...90).contains(byte) ? byte | 0x20 : byte
      if index < 8 {
        low |= UInt64(lower) << (8 * UInt64(index))
      } else if index < 16 {
        high |= UInt64(lower) << (8 * UInt64(index - 8))
      } else {
        // No name of HTML is as long.
        high = (high ^ UInt64(lower)) &* 0x100_0000_01B3
      }
    }
  }

  init(_ name: String) { self.init(name.utf8) }

  /// For tables.
  var hash: Int { Int(truncatingIfNeeded: ((low ^ high) &* 0x9E37_79B9_7F4A_7C15) >> 48) }
}

/// Which element has which name.
struct HTMLNames<Element: Sendable>: Sendable {
  private var slots: [(name: HTMLName, element: Element)?]
  private let mask: Int

  /// - Parameter names: those of an element with blanks between them.
  init(_ names: [(Element, String)]) {
    let all = names.flatMap { element, list in
      list.split(separator: " ").map { (HTMLName(String($0)), element) }
    }
    var size = 16
    while size < 4 * all.count { size *= 2 }
    mask = size - 1
    slots = Array(repeating: nil, count: size)
    for (name, element) in all {
      var slot = name.hash & mask
      while let taken = slots[slot], taken.name != name { slot = (slot + 1) & mask }
      slots[slot] = (name, element)
    }
  }

  /// - Complexity: O(1).
  subscript(name: HTMLName) -> Element? {
    var slot = name.hash & mask
    while let found = slots[slot] {
      if found.name == name { return found.element }
      slot = (slot + 1) & mask
    }
    return nil
  }
}

import TestSupport

/// Changes to pictures that no writer makes.
enum PictureDamage {
  /// One to three bytes changed, removed or added, or the end cut off.
  static func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var changed = bytes
    // Half of the damage goes to the first bytes, where the structure is.
    let reach = Bool.random(using: &generator) ? min(changed.count, 200) : changed.count
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !changed.isEmpty {
      let place = Int.random(in: 0..<min(reach, changed.count), using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: changed[place] = Bool.random(using: &generator) ? 0xFF : 0
      case 3: changed.removeLast(Int.random(in: 0...changed.count / 2, using: &generator))
      case 4: changed.remove(at: place)
      default: changed.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      }
    }
    return changed
  }
}

import ConstraintSolver

/// Trees of one structure, such as the cells of one reuse identifier. What one of them has solved the
/// others need not solve again:
///
///     memo (same constraints, width, content heights → frames)
///       → copy of a solved engine (a new tree of the class)
///       → build
///
/// Give it to roots before their first layout (`LayoutItem.layoutClass`). Trees of a class have the
/// same items and guides in the same order; constraints may differ, be switched and edited. A tree
/// that gains an item or guide after its first layout solves for itself from then on.
@MainActor public final class LayoutClass {
  /// What it is called, for reports.
  public let name: String
  /// Most layouts remembered; when they are so many all are forgotten. 4,096 by default; with 0 none
  /// is remembered or looked for, and the class is for copies alone.
  public let memoLimit: Int
  /// Layouts found in the memo.
  public internal(set) var memoHits = 0
  /// Layouts looked up in vain.
  public internal(set) var memoMisses = 0

  /// The first tree's engine as it was once solved.
  var template: LayoutTemplate?
  private var frames: [LayoutKey: [FractionalRect]] = [:]
  private var guesses: [LayoutKey: [FractionalRect]] = [:]

  public init(name: String = "", memoLimit: Int = 4096) {
    self.name = name
    self.memoLimit = max(0, memoLimit)
  }

  /// Layouts remembered.
  public var memoCount: Int { frames.count }

  /// Forgets all layouts, and the engine that is copied.
  public func removeAll() {
    frames.removeAll()
    guesses.removeAll()
    template = nil
  }

  /// Frames of all boxes in their order, as solved from the constraints `key` stands for.
  func remembered(_ key: LayoutKey) -> [FractionalRect]? { frames[key] }

  /// Frames that `key` had but for the heights of wrapped text: their widths are mostly right.
  func guessed(_ key: LayoutKey) -> [FractionalRect]? { guesses[key] }

  func remember(_ rects: [FractionalRect], _ key: LayoutKey, withoutHeights: LayoutKey) {
    if frames.count >= memoLimit {
      frames.removeAll(keepingCapacity: true)
      guesses.removeAll(keepingCapacity: true)
    }
    frames[key] = rects
    guesses[withoutHeights] = rects
  }
}

/// Stands for a set of constraints with their constants: the sum of two independent 64-bit hashes of
/// each, so that one comes and goes by an addition and a subtraction.
struct LayoutKey: Hashable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  /// Of nothing.
  init() {}

  /// Of one constraint.
  init(signature: UInt64, constant: Double) {
    let bits = (constant == 0 ? 0 : constant).bitPattern
    first = LayoutKey.mixed(signature ^ LayoutKey.mixed(bits &+ 0x9E37_79B9_7F4A_7C15))
    second = LayoutKey.mixed(first ^ bits &* 0xD6E8_FEB8_6659_FD93 ^ (signature << 1))
  }

  mutating func insert(_ other: LayoutKey) {
    first &+= other.first
    second &+= other.second
  }

  mutating func remove(_ other: LayoutKey) {
    first &-= other.first
    second &-= other.second
  }

  /// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
  /// Generators", 2014).
  static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

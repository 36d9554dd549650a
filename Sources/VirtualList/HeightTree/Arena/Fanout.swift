/// The children of an inner node, with running sums by which one is chosen without visiting them.
///
/// One comparison of sixteen lanes finds the child; lanes without a child hold the whole sum. Lines
/// are counted modulo 2³²: they are compared only if all rows are measured and the node's own sum
/// shows that they have not wrapped.
struct Fanout: Sendable {
  static let capacity = 16

  var children = SIMD16<Int32>(repeating: -1)
  /// Running sums of the children's rows, each including its own child.
  var rows: SIMD16<Int32> = .zero
  /// Running sums of the measured lines, likewise, in the epoch of the node.
  var lines: SIMD16<Int32> = .zero

  /// The child that holds `row`, which must be a row of the node.
  @inline(__always)
  func slot(ofRow row: Int32) -> Int { Self.lanes(of: rows, upTo: row) }

  /// Counts the lanes that are at most `value`; lanes are ascending and not negative.
  ///
  /// Written to compile to a few vector instructions: the comparison operators of `SIMD16` and
  /// their sums run lane by lane.
  @inline(__always)
  static func lanes(of sums: SIMD16<Int32>, upTo value: Int32) -> Int {
    withUnsafeBytes(of: (SIMD16(repeating: value) &- sums) &>> 31) { bytes in
      var beyond: Int32 = 0
      for lane in 0..<capacity {
        beyond &+= bytes.load(fromByteOffset: lane * 4, as: Int32.self)
      }
      return capacity + Int(beyond)
    }
  }

  /// Adds rows and lines to one child.
  @inline(__always)
  mutating func add(rows: Int32, lines: Int32, to slot: Int) {
    if rows != 0 { self.rows = Self.adding(rows, from: slot, to: self.rows) }
    if lines != 0 { self.lines = Self.adding(lines, from: slot, to: self.lines) }
  }

  /// The running sums after the part at `slot` has grown by `value`. - Complexity: O(1)
  @inline(__always)
  static func adding(_ value: Int32, from slot: Int, to sums: SIMD16<Int32>) -> SIMD16<Int32> {
    let lane = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let isBefore = (lane &- SIMD16(repeating: Int32(slot))) &>> 31
    return sums &+ (SIMD16(repeating: value) & ~isBefore)
  }
}

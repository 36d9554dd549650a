/// Storage of the packed leaves' entries: chunks of 64, 128, 192 … 1,024 entries cut from slabs of
/// 8,192. Growing adds a slab and copies nothing; a released chunk is reused for chunks of its
/// size.
struct EntrySlabs: Sendable {
  /// Entries in the smallest chunk; the size of every chunk is a multiple of it.
  static let unit = 64
  private static let slabBits: Int32 = 13
  private static let slabSize = 1 << 13

  private var slabs: [[UInt16]] = []
  private var released: [[Int32]]
  /// Entries of the last slab that are allocated.
  private var used = EntrySlabs.slabSize

  init() { released = Array(repeating: [], count: PackedLeaves.capacity / Self.unit + 1) }

  /// Allocated bytes, used or not.
  var byteCount: Int {
    slabs.count * Self.slabSize * 2 + released.reduce(0) { $0 + $1.capacity * 4 }
  }

  /// The number of units that hold `count` entries.
  static func units(_ count: Int) -> Int { (count + unit - 1) / unit }

  /// Allocates a chunk of `units` units with undefined content.
  mutating func allocate(units: Int) -> Int32 {
    if let chunk = released[units].popLast() { return chunk }
    let size = units * Self.unit
    if used + size > Self.slabSize {
      releaseRest()
      slabs.append(Array(repeating: 0, count: Self.slabSize))
      used = 0
    }
    defer { used += size }
    return Int32(slabs.count - 1) << Self.slabBits | Int32(used)
  }

  mutating func release(_ chunk: Int32, units: Int) { released[units].append(chunk) }

  /// Adds the rest of the last slab to the free lists, so that no entry is lost.
  private mutating func releaseRest() {
    while !slabs.isEmpty, used < Self.slabSize {
      let units = min((Self.slabSize - used) / Self.unit, PackedLeaves.capacity / Self.unit)
      released[units].append(Int32(slabs.count - 1) << Self.slabBits | Int32(used))
      used += units * Self.unit
    }
  }

  subscript(chunk: Int32, index: Int) -> UInt16 {
    get { slabs[Int(chunk >> Self.slabBits)][Int(chunk) & (Self.slabSize - 1) + index] }
    set { slabs[Int(chunk >> Self.slabBits)][Int(chunk) & (Self.slabSize - 1) + index] = newValue }
  }

  /// The first `count` entries of a chunk.
  func withEntries<T>(
    _ chunk: Int32, count: Int, _ body: (UnsafeBufferPointer<UInt16>) -> T
  ) -> T {
    slabs[Int(chunk >> Self.slabBits)].withUnsafeBufferPointer {
      let start = Int(chunk) & (Self.slabSize - 1)
      return body(UnsafeBufferPointer(rebasing: $0[start..<start + count]))
    }
  }

  /// Inserts `count` equal entries at `index` of the `used` ones; the chunk must have room.
  mutating func insert(_ entry: UInt16, count: Int, at index: Int, of used: Int, in chunk: Int32) {
    let start = Int(chunk) & (Self.slabSize - 1)
    slabs[Int(chunk >> Self.slabBits)].withUnsafeMutableBufferPointer { slab in
      guard let place = slab.baseAddress?.advanced(by: start + index) else { return }
      place.advanced(by: count).update(from: place, count: used - index)
      place.update(repeating: entry, count: count)
    }
  }

  mutating func store(_ entries: [UInt16], in chunk: Int32) {
    let start = Int(chunk) & (Self.slabSize - 1)
    slabs[Int(chunk >> Self.slabBits)].withUnsafeMutableBufferPointer { slab in
      for index in entries.indices { slab[start + index] = entries[index] }
    }
  }
}

import CDeflate
import Pixels

/// Writes pictures as PNG, fast and for one reader close by.
///
/// 1. Opaque pictures are three bytes a pixel.
/// 2. Each row is told by its difference from what its neighbours foretell (the specification's filter 4,
///    Paeth), which leaves small numbers of a photograph and zeros of a drawing.
/// 3. These are packed by their frequency, and runs of one of them are shortened. Looking for what was there
///    before (the usual deflate) takes longer than all the rest and finds little among differences.
struct PNGEncoder: ~Copyable {
  /// Opened with the first picture.
  private static let library = deflate_library()?.pointee
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let paeth: UInt8 = 4

  private let zlib: DeflateFunctions
  /// zlib's state points back at it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// The picture as a PNG; nil where it is empty, zlib is not installed or there is no memory.
  ///
  /// - Complexity: O(pixels).
  static func png(_ pixels: PixelBuffer) -> [UInt8]? {
    let depth = pixels.isOpaque ? 3 : 4
    guard !pixels.size.isEmpty, let library, let encoder = PNGEncoder(library),
      let data = encoder.data(of: pixels, depth: depth)
    else { return nil }
    var header = bigEndian(UInt32(clamping: pixels.size.width))
    header += bigEndian(UInt32(clamping: pixels.size.height))
    // Eight bits a part; red, green, blue, and alpha where it says something.
    header += [8, depth == 3 ? 2 : 6, 0, 0, 0]
    var png = signature
    png.reserveCapacity(data.count + 64)
    for (name, body) in [("IHDR", header), ("IDAT", data), ("IEND", [])] {
      png += bigEndian(UInt32(clamping: body.count))
      let start = png.count
      png += name.utf8
      png += body
      let check = png[start...].withUnsafeBufferPointer {
        library.crc32(0, $0.baseAddress, uInt(clamping: $0.count))
      }
      png += bigEndian(UInt32(truncatingIfNeeded: check))
    }
    return png
  }

  private init?(_ library: DeflateFunctions) {
    zlib = library
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let isReady = library.deflateInit2_(
      stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard isReady == Z_OK else { return nil }
  }

  deinit {
    // Of one that never began this does nothing.
    _ = zlib.deflateEnd(stream)
    stream.deallocate()
  }

  /// The rows, filtered and packed.
  private func data(of pixels: PixelBuffer, depth: Int) -> [UInt8]? {
    let (width, height) = (pixels.size.width, pixels.size.height)
    let count = width * depth
    let capacity = Int(zlib.deflateBound(stream, uLong((count + 1) * height)))
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { output, written in
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = uInt(clamping: capacity)
      isWhole = pixels.bytes.withUnsafeBufferPointer { source in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * count + 1) { rows in
          rows.initialize(repeating: 0)
          guard let source = source.baseAddress, let start = rows.baseAddress else { return false }
          // The row above, the row itself, and what is written of it.
          var (above, row) = (start, start + count)
          let line = start + 2 * count
          line[0] = Self.paeth
          for y in 0..<height {
            Self.copy(source + y * width * 4, width: width, depth: depth, to: row)
            Self.filter(row, above: above, count: count, depth: depth, to: line + 1)
            let isLast = y == height - 1
            guard pack(line, count: count + 1, isLast: isLast) else { return false }
            swap(&above, &row)
          }
          return true
        }
      }
      written = isWhole ? capacity - Int(stream.pointee.avail_out) : 0
    }
    return isWhole ? output : nil
  }

  private func pack(_ line: UnsafeMutablePointer<UInt8>, count: Int, isLast: Bool) -> Bool {
    stream.pointee.next_in = line
    stream.pointee.avail_in = uInt(clamping: count)
    let state = zlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
    return state == (isLast ? Z_STREAM_END : Z_OK) && stream.pointee.avail_in == 0
  }

  @inline(__always)
  private static func copy(
    _ source: UnsafePointer<UInt8>, width: Int, depth: Int, to row: UnsafeMutablePointer<UInt8>
  ) {
    guard depth == 3 else { return row.update(from: source, count: width * 4) }
    for x in 0..<width {
      let (from, to) = (source + x &* 4, row + x &* 3)
      (to[0], to[1], to[2]) = (from[0], from[1], from[2])
    }
  }

  /// What is left of a row when what stands to the left, above, or above to the left is taken away:
  /// whichever is nearest to left + above - corner, the first of them where they are equally near.
  private static func filter(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int, depth: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<min(depth, count) { output[index] = row[index] &- above[index] }
    var index = depth
    while index < count {
      let left = Int16(row[index &- depth])
      let up = Int16(above[index])
      let corner = Int16(above[index &- depth])
      let (across, down) = (up &- corner, left &- corner)
      let toLeft = across < 0 ? 0 &- across : across
      let toUp = down < 0 ? 0 &- down : down
      let both = across &+ down
      let toCorner = both < 0 ? 0 &- both : both
      let near = toUp <= toCorner ? up : corner
      let foretold = toLeft <= toUp && toLeft <= toCorner ? left : near
      output[index] = row[index] &- UInt8(truncatingIfNeeded: foretold)
      index &+= 1
    }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

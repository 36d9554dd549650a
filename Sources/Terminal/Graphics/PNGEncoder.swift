import CZlib
import Pixels

/// Encodes pictures as PNG: fast rather than small, since the terminal usually runs on the same
/// machine.
///
/// 1. Opaque pictures have three bytes per pixel, others four.
/// 2. Each byte is stored as its difference from a prediction by its neighbours (the
///    specification's filter 4, Paeth). This leaves small numbers in photographs and zeros in
///    drawings.
/// 3. Deflate uses only Huffman codes and run lengths (`Z_RLE`). Searching for earlier matches, as
///    it usually does, takes longer than all the rest and finds few among differences.
/// 4. A picture can be compressed in two parts on separate threads: the second part is filtered
///    against the last row of the first, whose stream ends at a byte boundary (`Z_SYNC_FLUSH`).
struct PNGEncoder: ~Copyable {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let paeth: UInt8 = 4
  /// The header of a zlib stream: a window of 32 KiB, the fastest level.
  private static let streamHeader: [UInt8] = [0x78, 0x01]
  /// The number of pixels from which a second thread saves more time than it costs.
  private static let splitThreshold = 1 << 14

  /// Compressed rows of a picture.
  private struct Part: Sendable {
    var data: [UInt8]
    /// The Adler-32 checksum of the uncompressed bytes.
    var check: uLong
    var byteCount: Int
  }

  /// On the heap, because zlib's internal state points back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// The picture as a PNG; `nil` if it is empty or memory runs out.
  ///
  /// - Complexity: O(pixels).
  static func png(_ pixels: PixelBuffer) -> [UInt8]? {
    let depth = pixels.isOpaque ? 3 : 4
    guard let part = part(of: pixels, 0..<pixels.size.height, depth: depth) else { return nil }
    return png(of: [part], size: pixels.size, depth: depth)
  }

  /// Encodes like ``png(_:)``, but a second thread encodes half of a large picture.
  @concurrent static func makePNG(of pixels: PixelBuffer) async -> [UInt8]? {
    let (size, depth) = (pixels.size, pixels.isOpaque ? 3 : 4)
    guard size.width * size.height >= splitThreshold, size.height > 1 else {
      return png(pixels)
    }
    async let upper = part(of: pixels, 0..<size.height / 2, depth: depth)
    let lower = part(of: pixels, size.height / 2..<size.height, depth: depth)
    guard let upper = await upper, let lower else { return nil }
    return png(of: [upper, lower], size: size, depth: depth)
  }

  private static func part(of pixels: PixelBuffer, _ rows: Range<Int>, depth: Int) -> Part? {
    guard !pixels.size.isEmpty, let encoder = PNGEncoder() else { return nil }
    return encoder.part(of: pixels, rows, depth: depth)
  }

  private static func png(of parts: [Part], size: PixelSize, depth: Int) -> [UInt8] {
    var header = bigEndian(UInt32(clamping: size.width))
    header += bigEndian(UInt32(clamping: size.height))
    // Eight bits a channel: red, green, blue, and alpha unless the picture is opaque.
    header += [8, depth == 3 ? 2 : 6, 0, 0, 0]
    let count = parts.reduce(0) { $0 + $1.data.count }
    var data = streamHeader
    data.reserveCapacity(count + 6)
    for part in parts { data += part.data }
    let check = parts.dropFirst().reduce(parts.first?.check ?? 1) { check, part in
      adler32_combine(check, part.check, part.byteCount)
    }
    data += bigEndian(UInt32(truncatingIfNeeded: check))
    var png = signature
    png.reserveCapacity(data.count + 64)
    for (name, body) in [("IHDR", header), ("IDAT", data), ("IEND", [])] {
      png += bigEndian(UInt32(clamping: body.count))
      let start = png.count
      png += name.utf8
      png += body
      let check = png[start...].withUnsafeBufferPointer {
        crc32(0, $0.baseAddress, uInt(clamping: $0.count))
      }
      png += bigEndian(UInt32(truncatingIfNeeded: check))
    }
    return png
  }

  private init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let isReady = deflateInit2_(
      stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_RLE, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard isReady == Z_OK else { return nil }
  }

  deinit {
    // This does nothing if the initialization failed.
    _ = deflateEnd(stream)
    stream.deallocate()
  }

  /// Filters and compresses the rows; the last rows of the picture end the stream.
  private func part(of pixels: PixelBuffer, _ rows: Range<Int>, depth: Int) -> Part? {
    let (width, height) = (pixels.size.width, pixels.size.height)
    let count = width * depth
    let byteCount = (count + 1) * rows.count
    // The bound does not include the few bytes of the flush between two parts.
    let capacity = Int(deflateBound(stream, uLong(byteCount))) + 16
    var check = adler32(0, nil, 0)
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { output, written in
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = uInt(clamping: capacity)
      isWhole = pixels.bytes.withUnsafeBufferPointer { source in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * count + 1) { lines in
          lines.initialize(repeating: 0)
          guard let source = source.baseAddress, let start = lines.baseAddress else { return false }
          // The row above, the current row, and its filtered bytes.
          var (above, row) = (start, start + count)
          let line = start + 2 * count
          line[0] = Self.paeth
          if rows.lowerBound > 0 {
            let first = source + (rows.lowerBound - 1) * width * 4
            Self.copy(first, width: width, depth: depth, to: above)
          }
          for y in rows {
            Self.copy(source + y * width * 4, width: width, depth: depth, to: row)
            Self.filter(row, above: above, count: count, depth: depth, to: line + 1)
            check = adler32(check, line, uInt(clamping: count + 1))
            let end =
              y < rows.upperBound - 1 ? Z_NO_FLUSH : y < height - 1 ? Z_SYNC_FLUSH : Z_FINISH
            guard pack(line, count: count + 1, end) else { return false }
            swap(&above, &row)
          }
          return true
        }
      }
      written = isWhole ? capacity - Int(stream.pointee.avail_out) : 0
    }
    return isWhole ? Part(data: output, check: check, byteCount: byteCount) : nil
  }

  private func pack(_ line: UnsafeMutablePointer<UInt8>, count: Int, _ end: Int32) -> Bool {
    stream.pointee.next_in = line
    stream.pointee.avail_in = uInt(clamping: count)
    let state = deflate(stream, end)
    return state == (end == Z_FINISH ? Z_STREAM_END : Z_OK) && stream.pointee.avail_in == 0
  }

  private static func copy(
    _ source: UnsafePointer<UInt8>, width: Int, depth: Int, to row: UnsafeMutablePointer<UInt8>
  ) {
    guard depth == 3 else { return row.update(from: source, count: width * 4) }
    for x in 0..<width {
      let (from, to) = (source + x &* 4, row + x &* 3)
      (to[0], to[1], to[2]) = (from[0], from[1], from[2])
    }
  }

  /// Subtracts from each byte Paeth's prediction: of the bytes to the left, above, and above to the
  /// left (the corner), the nearest to left + above - corner; on a tie the first of them.
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
      let predictor = toLeft <= toUp && toLeft <= toCorner ? left : near
      output[index] = row[index] &- UInt8(truncatingIfNeeded: predictor)
      index &+= 1
    }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

import CZlib
import System

/// Decompresses gzip files (RFC 1952), including those of several members.
package struct GzipReader: ~Copyable {
  /// On the heap, because zlib stores its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private let isOpen: Bool
  /// Whether the data is bare DEFLATE without a gzip frame, as in a zip file.
  private let isRaw: Bool
  package private(set) var hasFailed = false
  /// Whether a member has begun and not ended: the first begins with its first byte, another one
  /// only when it produces bytes, since unreadable bytes after a whole member do not belong to the
  /// file.
  package private(set) var isInside = false
  private var hasBegun = false

  package init(isRaw: Bool = false) {
    self.isRaw = isRaw
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 is the largest window; 16 selects the gzip frame, a negative number none.
    isOpen =
      inflateInit2_(
        stream, isRaw ? -15 : 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    if isOpen { inflateEnd(stream) }
    stream.deallocate()
  }

  /// Whether bytes begin like a gzip file.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
  }

  /// Decompresses the next bytes and passes the result to `body` in pieces.
  ///
  /// - Returns: false if `body` has returned false, these or earlier bytes are damaged, or data
  ///   without a frame has ended.
  /// - Complexity: O(n) in the unpacked bytes.
  package mutating func unpack(_ packed: [UInt8], _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool
  {
    guard isOpen, !hasFailed else { return false }
    var packed = packed
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let stream = stream
    var failed = false
    var inside = isInside || !hasBegun && !packed.isEmpty
    hasBegun = hasBegun || inside
    defer { (hasFailed, isInside) = (failed, inside) }
    return packed.withUnsafeMutableBytes { input in
      stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_in = UInt32(clamping: input.count)
      defer { stream.pointee.next_in = nil }
      while true {
        let (code, count) = chunk.withUnsafeMutableBytes { output in
          stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
          stream.pointee.avail_out = UInt32(output.count)
          let code = inflate(stream, Z_NO_FLUSH)
          return (code, output.count - Int(stream.pointee.avail_out))
        }
        if count > 0 { inside = true }
        guard count == 0 || chunk.withUnsafeBytes({ body(.init(rebasing: $0[..<count])) }) else {
          return false
        }
        switch code {
        case Z_OK: if stream.pointee.avail_in == 0, count < chunk.count { return true }
        case Z_STREAM_END where isRaw:
          inside = false
          return false
        case Z_STREAM_END:
          inside = false
          // Another member may follow.
          inflateReset(stream)
          if stream.pointee.avail_in == 0 { return true }
        case Z_BUF_ERROR: return true
        default:
          failed = true
          return false
        }
      }
    }
  }

  /// Decompresses a whole file; `nil` if it yields no bytes, or more than `limit`. A damaged file
  /// yields the bytes before the damage.
  package static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var reader = GzipReader()
    var result: [UInt8] = []
    var isTooLong = false
    _ = reader.unpack(bytes) { piece in
      isTooLong = result.count + piece.count > limit
      if !isTooLong { result += piece }
      return !isTooLong
    }
    return isTooLong || result.isEmpty ? nil : result
  }
}

import HTTP

/// A response in the format of its file: its head, its body, and checksums that reveal damage.
///
///     magic, length of the head (4 bytes), length of the body (8), checksums of both (8 each),
///     head, body
///
/// All integers are little-endian.
struct CacheEntry {
  enum Damage: Error, Hashable {
    /// Not a file of this cache, or one of another version.
    case unknownFormat
    /// Shorter or longer than its lengths say.
    case wrongLength
    case wrongSum
    case unreadableHead
  }

  static let magic = Array("TLCACHE1".utf8)
  static let prefixLength = magic.count + 4 + 8 + 8 + 8
  /// The maximum size of a head in bytes: more than `HTTPHeaders` accepts.
  static let maximumHead = 4 << 20

  let response: StoredResponse
  let body: [UInt8]

  /// The bytes of the file before the body.
  ///
  /// - Complexity: O(bytes).
  var start: [UInt8] {
    let head = Self.head(of: response)
    var bytes = Self.magic
    bytes.append(UInt64(head.count), width: 4)
    bytes.append(UInt64(body.count), width: 8)
    bytes.append(CacheSum.of(head[...]), width: 8)
    bytes.append(CacheSum.of(body[...]), width: 8)
    return bytes + head
  }
}

extension CacheEntry {
  /// - Complexity: O(bytes).
  init(_ bytes: [UInt8]) throws(Damage) {
    guard bytes.starts(with: Self.magic) else { throw .unknownFormat }
    var reader = ByteReader(bytes.dropFirst(Self.magic.count))
    guard let headLength = reader.number(width: 4), let bodyLength = reader.number(width: 8),
      let headSum = reader.number(width: 8), let bodySum = reader.number(width: 8),
      headLength <= Self.maximumHead,
      case let bodyStart = Self.prefixLength + Int(headLength), bytes.count >= bodyStart,
      UInt64(bytes.count - bodyStart) == bodyLength
    else { throw .wrongLength }
    let (head, body) = (bytes[Self.prefixLength..<bodyStart], bytes[bodyStart...])
    guard CacheSum.of(head) == headSum, CacheSum.of(body) == bodySum else { throw .wrongSum }
    self.init(response: try Self.response(of: head), body: Array(body))
  }

  // MARK: The head

  private static func head(of response: StoredResponse) -> [UInt8] {
    var head: [UInt8] = []
    head.append(response.url)
    head.append(UInt64(clamping: response.status), width: 4)
    head.append(response.requestTime.bitPattern, width: 8)
    head.append(response.responseTime.bitPattern, width: 8)
    head.append((response.redirectsFreshUntil ?? .infinity).bitPattern, width: 8)
    for fields in [response.headers.fields, response.varied.fields] {
      head.append(UInt64(fields.count), width: 4)
      for field in fields {
        head.append(field.name)
        head.append(field.value)
      }
    }
    return head
  }

  private static func response(of head: ArraySlice<UInt8>) throws(Damage) -> StoredResponse {
    var reader = ByteReader(head)
    guard let url = reader.text(), let status = reader.number(width: 4).flatMap(Int.init(exactly:)),
      let requested = reader.time(), let responded = reader.time(), let until = reader.time(),
      let headers = reader.fields(), let varied = reader.fields(), reader.isAtEnd,
      requested.isFinite, responded.isFinite
    else { throw .unreadableHead }
    return StoredResponse(
      url: url, status: status, headers: headers, requestTime: requested, responseTime: responded,
      varied: varied, redirectsFreshUntil: until.isFinite ? until : nil)
  }
}

/// Checksums that tell damaged files from intact ones; they do not protect against tampering.
enum CacheSum {
  /// A variant of FNV-1a (Fowler, Noll, Vo): it takes words of eight bytes and mixes the high bits
  /// down after each, then takes the remaining bytes and the length.
  ///
  /// - Complexity: O(bytes).
  static func of(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    bytes.withUnsafeBytes { raw in
      var sum = seed
      var offset = 0
      while offset + 8 <= raw.count {
        let word = UInt64(
          littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        sum = (sum ^ word) &* 0x100_0000_01b3
        sum ^= sum >> 29
        offset += 8
      }
      for byte in raw[offset...] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return sum ^ UInt64(raw.count)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt64, width: Int) {
    for index in 0..<width { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }

  fileprivate mutating func append(_ text: String) {
    append(UInt64(text.utf8.count), width: 4)
    append(contentsOf: text.utf8)
  }
}

/// Reads numbers and strings; each method returns `nil` if the bytes end too early.
private struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(width: Int) -> UInt64? {
    guard rest.count >= width else { return nil }
    defer { rest = rest.dropFirst(width) }
    return rest.prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func time() -> Double? { number(width: 8).map { Double(bitPattern: $0) } }

  mutating func text() -> String? {
    guard let length = number(width: 4), length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(length)) }
    return String(decoding: rest.prefix(Int(length)), as: UTF8.self)
  }

  mutating func fields() -> HTTPHeaders? {
    guard let count = number(width: 4), count <= HTTPHeaders.maximumFields else { return nil }
    var headers = HTTPHeaders()
    for _ in 0..<count {
      guard let name = text(), let value = text() else { return nil }
      headers.append(name, value)
    }
    return headers
  }
}

import Glibc
import TerminalSession

/// A file that is written from its start to its end, a megabyte at a time.
struct OutputFile: ~Copyable {
  private static let chunk = 1 << 20

  let path: String
  private(set) var byteCount = 0
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(path: String) throws(BenchmarkError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(call: "open", subject: path, code: errno) }
    buffer.reserveCapacity(Self.chunk + 65_536)
  }

  deinit { close(descriptor) }

  mutating func append(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { buffer.append(contentsOf: $0) }
  }

  /// In decimal, with zeros before it up to `digits`; 0 or more.
  mutating func append(_ number: Int, digits: Int = 1) {
    var divisor = 1
    var left = digits
    while left > 1 || number / divisor >= 10 {
      divisor *= 10
      left -= 1
    }
    while divisor > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  /// Writes what has gathered, where it is a megabyte or `isLast`.
  mutating func flush(isLast: Bool = false) throws(BenchmarkError) {
    guard isLast || buffer.count >= Self.chunk else { return }
    var offset = 0
    while offset < buffer.count {
      let count = buffer.withUnsafeBytes {
        write(descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system(call: "write", subject: path, code: errno) }
      offset += count
    }
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}

import Glibc

/// A failed system call.
package struct SystemFailure: Error, Hashable, Sendable {
  /// Its `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package var message: String { Self.message(of: code) }

  /// The system's message for an `errno`.
  package static func message(of code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says of an `errno`.
public enum SystemErrorText {
  public static func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard let text = strerror_r(code, &buffer, buffer.count) as Optional else {
      return "error \(code)"
    }
    #if canImport(Glibc)
      return String(cString: text)
    #else
      return text == 0
        ? String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        : "error \(code)"
    #endif
  }
}

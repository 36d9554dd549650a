@preconcurrency import Glibc

/// The environment variables as of their first use.
public enum ProcessEnvironment {
  /// The variables by name; of a repeated name the first, as in `getenv`. Read once.
  public static let variables: [String: String] = {
    var variables = [String: String](minimumCapacity: 64)
    var next = environ
    while let line = next.pointee {
      if let sign = strchr(line, Int32(UInt8(ascii: "="))) {
        let bytes = UnsafeRawBufferPointer(start: line, count: sign - line)
        let name = String(decoding: bytes, as: UTF8.self)
        if variables[name] == nil { variables[name] = String(cString: sign + 1) }
      }
      next += 1
    }
    return variables
  }()
}

@preconcurrency import Glibc

/// The environment variables with which this process was started.
public enum ProcessEnvironment {
  /// The variables by name; of a repeated name the first, as in `getenv`. Read once.
  public static let variables: [String: String] = {
    var variables: [String: String] = [:]
    var next = environ
    while let line = next.pointee {
      let text = String(cString: line)
      if let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(text[..<sign])
        let value = text[text.utf8.index(after: sign)...]
        if variables[name] == nil { variables[name] = String(value) }
      }
      next += 1
    }
    return variables
  }()
}

import Glibc

/// Another solver's program, built outside of this package, that times the same cell: it prints
/// lines like "kiwi b1 edit comment height median 163 ns/op …" and takes a scale as its argument.
struct Rival {
  struct Failure: Error { let command, reason: String }

  let path: String
  private var medians: [String: [Double]] = [:]

  init(path: String) { self.path = path }

  /// Runs it once and keeps what it says.
  mutating func measure(scale: Double) throws {
    let command = "'\(path)' \(scale)"
    guard let pipe = popen(command, "r") else {
      throw Failure(command: command, reason: String(cString: strerror(errno)))
    }
    var text = ""
    var line = [CChar](repeating: 0, count: 1024)
    while fgets(&line, Int32(line.count), pipe) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    let status = pclose(pipe)
    guard status == 0 else { throw Failure(command: command, reason: "status \(status)") }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 3, let median = words.firstIndex(of: "median"),
        median + 1 < words.count, let value = Double(words[median + 1])
      else { continue }
      medians[String(words[1]), default: []].append(value)
    }
  }

  /// Median of the rounds' medians.
  func median(_ operation: String) -> Double? {
    medians[operation].map(Operation.median)
  }
}

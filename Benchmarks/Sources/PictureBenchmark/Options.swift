import TerminalSession

/// What the benchmark was told.
struct Options {
  var tideline = ".build/release/tideline"
  /// Pictures whose latency is taken, in each way to draw them.
  var count = 200
  /// How often each program shows each large picture.
  var rounds = 10
  var seed: UInt64 = 1
  var only: String?
  /// The one way to draw them whose latency is taken; all where it is nil.
  var mode: String?
  /// Whether the latency of every picture and the bytes of every line of the held key are printed.
  var printsAll = false

  init(_ words: [String]) throws(BenchmarkError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--all" {
        printsAll = true
        continue
      }
      guard let value = rest.popFirst() else { throw .wrongArgument(word) }
      switch word {
      case "--tideline": tideline = value
      case "--pictures": count = try Self.number(word, value)
      case "--rounds": rounds = try Self.number(word, value)
      case "--mode":
        guard PictureLatency.modes.contains(value) else { throw .wrongArgument("\(word) \(value)") }
        mode = value
      case "--seed":
        guard let number = UInt64(value) else { throw .wrongArgument("\(word) \(value)") }
        seed = number
      case "--only":
        guard ["latency", "bytes", "large"].contains(value) else {
          throw .wrongArgument("\(word) \(value)")
        }
        only = value
      default: throw .wrongArgument(word)
      }
    }
  }

  private static func number(_ word: String, _ value: String) throws(BenchmarkError) -> Int {
    guard let number = Int(value), (1...2_000).contains(number) else {
      throw .wrongArgument("\(word) \(value)")
    }
    return number
  }

  func does(_ part: String) -> Bool { only == nil || only == part }
}

import TerminalSession

/// What the command line asks for.
struct Arguments {
  enum Request {
    case help
    case run(Arguments)
  }

  static let usage = """
    usage: ProgramBenchmark [--sizes 1e3,1e5] [--rounds 3] [--tideline PATH] [--only NAME,NAME]
                            [--beside PATH] [--starts N] [--folder PATH] [--seed N] [--keep] [--quick]
      --sizes     posts a timeline; 1e3,1e5 by default, 1e6 and 1e7 take 0.8 and 8 GB of disk
      --rounds    how often each program is opened in its turn for the latency of keys
      --tideline  a release build; .build/release/tideline by default
      --only      of tideline, unpictured, linked, less, lnav; all that are installed by default
      --beside    an earlier build: nothing but the keys of both, in turn, without pictures; a session
                  of each a round
      --starts    nothing but so many starts of tideline without pictures and of less, in turns, on a
                  terminal that answers at once, 5, 20 or 50 ms late, or never; 30 for the bars
      --folder    where the timelines are written; the system's temporary folder by default
      --seed      other posts; 1 by default
      --keep      do not delete the timelines
      --quick     a tenth of the keys and no wait for idleness: whether it works, not how fast
    """

  var sizes = [1_000, 100_000]
  var rounds = 3
  var starts: Int?
  var tideline: String?
  var beside: String?
  var only: Set<String> = []
  var folder: String?
  var seed: UInt64 = 1
  var keepsFiles = false
  var isQuick = false

  /// - Throws: `BenchmarkError.wrongArgument`.
  static func parse(_ words: some Sequence<String>) throws(BenchmarkError) -> Request {
    var result = Arguments()
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      switch word {
      case "--help", "-h": return .help
      case "--keep": result.keepsFiles = true
      case "--quick": result.isQuick = true
      default:
        let value = iterator.next()
        guard let value, result.set(word, to: value) else {
          throw .wrongArgument(value.map { "\(word) \($0)" } ?? word)
        }
      }
    }
    return .run(result)
  }

  /// False where there is no such option or the value is none for it.
  private mutating func set(_ option: String, to value: String) -> Bool {
    switch option {
    case "--sizes":
      let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map(Self.count)
      sizes = numbers.compactMap { $0 }
      return sizes.count == numbers.count
    case "--rounds":
      rounds = Int(value) ?? 0
      return rounds > 0
    case "--starts":
      starts = Int(value).flatMap { $0 > 0 ? $0 : nil }
      return starts != nil
    case "--only":
      only = Set(value.split(separator: ",").map(String.init))
      return only.isSubset(of: Program.names)
    case "--seed":
      guard let seed = UInt64(value) else { return false }
      self.seed = seed
    case "--tideline": tideline = value
    case "--beside": beside = value
    case "--folder": folder = value
    default: return false
    }
    return true
  }

  /// "1e5" or "100000"; two posts to ten million.
  private static func count(_ text: Substring) -> Int? {
    guard let value = Double(String(text)), (2...1e7).contains(value) else { return nil }
    return Int(value)
  }
}

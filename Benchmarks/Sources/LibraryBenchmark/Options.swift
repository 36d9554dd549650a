import TerminalSession

/// What is measured, from the command line.
struct Options {
  var sizes = [1_000, 100_000, 1_000_000]
  var feeds = 1_000
  var hosts = [40, 1]
  var rounds = 5
  var tideline = ".build/release/tideline"
  var opens = true
  var refreshes = true
  var comparesNewsboat = Newsboat.isInstalled

  static let usage = """
    usage: LibraryBenchmark [--sizes 1e3,1e5,1e6] [--feeds 1000] [--hosts 40,1] [--rounds 5]
                            [--only open|refresh] [--tideline PATH] [--alone] [--quick]
      --sizes     items of the libraries that are opened; 1e6 takes 5 GB of disk and some minutes
      --feeds     feeds of 20 items that are refreshed
      --hosts     hosts of the loopback interface among which they are divided, each by itself
      --rounds    first frames of each, in turns, and first refreshes; medians are printed, of keys
                  those of all rounds
      --only      the libraries that are opened, or the refresh
      --tideline  a release build; .build/release/tideline by default
      --alone     without newsboat, which takes minutes for a thousand feeds
      --quick     a thousand items, fifty feeds, one round, alone: does it work?
    """

  init(_ words: [String]) throws(BenchmarkError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--quick" {
        (sizes, feeds, hosts, rounds) = ([1_000], 50, [40], 1)
        comparesNewsboat = false
        continue
      }
      if word == "--alone" {
        comparesNewsboat = false
        continue
      }
      guard let value = rest.popFirst() else { throw .wrongArgument(word) }
      switch word {
      case "--sizes": sizes = Self.numbers(value)
      case "--feeds": feeds = Int(value) ?? 0
      case "--hosts": hosts = Self.numbers(value)
      case "--rounds": rounds = Int(value) ?? 0
      case "--tideline": tideline = value
      case "--only" where value == "open": refreshes = false
      case "--only" where value == "refresh": opens = false
      default: throw .wrongArgument("\(word) \(value)")
      }
      guard !sizes.isEmpty, sizes.allSatisfy({ (100...10_000_000).contains($0) }),
        (1...100_000).contains(feeds), !hosts.isEmpty,
        hosts.allSatisfy({ (1...200).contains($0) }), (1...100).contains(rounds)
      else { throw .wrongArgument("\(word) \(value)") }
    }
  }

  private static func numbers(_ text: String) -> [Int] {
    text.split(separator: ",").compactMap { Double(String($0)).flatMap { Int(exactly: $0) } }
  }
}

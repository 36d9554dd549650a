import FoundationEssentials
import Glibc
import TerminalSession

/// A program that is measured, and how it is used.
struct Program {
  /// What is typed for one and the same thing.
  struct Keys {
    var lineDown = "\u{5}"
    /// A line, where a program knows no posts.
    var nextPost = "j"
    var pageDown = " "
    var end = "G"
    var top = "g"
    /// Nil where it cannot be done.
    var middle: String?
    /// Ends what `middle` began.
    var release = ""
  }

  let name: String
  let path: String
  let keys: Keys
  /// What comes before the file's name.
  let options: [String]
  /// JSON Lines, not text: it is tideline.
  let readsFeed: Bool
  var opensAtTop = true
  /// What its terminal calls itself.
  var terminalName = "ProgramBenchmark(1)"

  static let names: Set = ["tideline", "unpictured", "linked", "less", "lnav"]

  func arguments(_ corpus: Corpus) -> [String] { options + [readsFeed ? corpus.feed : corpus.text] }

  /// Pages jump: how long they slide is a matter of taste, not of speed.
  private static let tidelineOptions = ["--no-animation"]

  /// The thumb, at the top of the last column, is taken and drawn to the middle.
  private static let tidelineKeys = Keys(
    middle: "\u{1B}[<0;200;1M\u{1B}[<32;200;24M", release: "\u{1B}[<0;200;24m")

  static func tideline(path: String) -> Program {
    Program(
      name: "tideline", path: path, keys: tidelineKeys, options: tidelineOptions, readsFeed: true)
  }

  static func unpictured(path: String) -> Program {
    Program(
      name: "unpictured", path: path, keys: tidelineKeys,
      options: tidelineOptions + ["--pictures", "off"], readsFeed: true)
  }

  /// The same, called otherwise: one of two builds.
  func named(_ name: String) -> Program {
    Program(name: name, path: path, keys: keys, options: options, readsFeed: readsFeed)
  }

  /// As `unpictured`, on a terminal that is told where links lead.
  static func linked(path: String) -> Program {
    Program(
      name: "linked", path: path, keys: tidelineKeys,
      options: tidelineOptions + ["--pictures", "off"], readsFeed: true,
      terminalName: "foot(1.20.0)")
  }

  /// The same, which writes down what it does.
  func traced(to file: String) -> Program {
    Program(
      name: name, path: path, keys: keys, options: options + ["--trace", file],
      readsFeed: readsFeed, terminalName: terminalName)
  }

  static func less(path: String) -> Program {
    Program(
      name: "less", path: path, keys: Keys(middle: "50p"), options: [], readsFeed: false)
  }

  /// It opens a file at its end.
  static func lnav(path: String) -> Program {
    Program(
      name: "lnav", path: path, keys: Keys(lineDown: "j"), options: ["-N"], readsFeed: false,
      opensAtTop: false)
  }

  /// The path of an installed program.
  static func installed(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }
}

extension Session {
  /// - Parameter home: a folder that is the program's alone.
  convenience init(
    _ program: Program, corpus: Corpus, home: String, answers: Answers = .atOnce
  ) throws(BenchmarkError) {
    try self.init(
      program.name, path: program.path, arguments: program.arguments(corpus), home: home,
      terminalName: program.terminalName, answers: answers)
  }
}

import Glibc
import TerminalSession

/// Searches and filters the built program's timelines in a terminal, beside `grep` on the same
/// bytes.

let usage = """
  usage: SearchBenchmark [--posts 1e5,1e6] [--pieces 14] [--rounds 3] [--tideline PATH]
           [--texts ascii,mixed,text,html,jsonfeed,mastodon,archive,rss,atom]
           [--needles zephyrine,class,"gauge tide",…]
    --posts     posts of each timeline; 1e5,1e6 by default, 1e7 takes 1 GB of disk and more
    --pieces    words and tags of each post, of 7 bytes in ASCII and 14 in HTML
    --rounds    runs of each, in turns; medians are printed
    --tideline  a release build; .build/release/tideline by default
    --texts     what posts are written in; all by default
    --needles   what is searched for, "all" for a word, words of markup, an accent, Japanese and a phrase; of
                several the table has MB/s alone
  """

struct Options {
  var posts = [100_000, 1_000_000]
  var pieces = 14
  var rounds = 3
  var tideline = ".build/release/tideline"
  var texts = Timeline.Text.allCases
  var needles = [Timeline.needles[0]]

  init(_ words: [String]) throws(BenchmarkError) {
    var index = 0
    while index < words.count {
      guard index + 1 < words.count, case let value = words[index + 1] else {
        throw .wrongArgument(words[index])
      }
      switch words[index] {
      case "--posts":
        posts = value.split(separator: ",").compactMap { Double(String($0)).map { Int($0) } }
      case "--pieces": pieces = Int(value) ?? 0
      case "--rounds": rounds = Int(value) ?? 0
      case "--tideline": tideline = value
      case "--texts":
        texts = value.split(separator: ",").compactMap { Timeline.Text(rawValue: String($0)) }
      case "--needles":
        let all = value == "all"
        needles = all ? Timeline.needles : value.split(separator: ",").map(String.init)
      default: throw .wrongArgument(words[index])
      }
      guard !posts.isEmpty, posts.allSatisfy({ (2...10_000_000).contains($0) }), rounds > 0,
        (1...100_000).contains(pieces),
        !texts.isEmpty, !needles.isEmpty, needles.allSatisfy(Timeline.needles.contains)
      else { throw .wrongArgument("\(words[index]) \(value)") }
      index += 2
    }
  }
}

let patience = Duration.seconds(300)

func seconds(_ time: Duration) -> Double {
  Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func column(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

func milliseconds(_ value: Double) -> String { String(Int((value * 1_000).rounded())) }

/// How long `grep -m1 -i` takes to the needle.
func grep(_ timeline: Timeline, _ needle: String) -> Double {
  let start = ContinuousClock.now
  let command = "LC_ALL=C.UTF-8 grep -m1 -i '\(needle)' '\(timeline.path)' >/dev/null"
  guard system(command) == 0 else { return .nan }
  return seconds(.now - start)
}

/// A session in which all rows are counted and nothing is left to do.
func open(_ timeline: Timeline, _ options: Options, home: String) throws -> Session {
  let session = try Session(
    "tideline", path: options.tideline, arguments: ["--no-animation", timeline.path], home: home)
  _ = try session.show(["post 1 of"], named: "the first post", within: patience)
  try session.becomeCalm(for: .milliseconds(500), within: patience)
  return session
}

func search(
  _ timeline: Timeline, for needle: String, _ options: Options, home: String
) throws -> Double {
  let session = try open(timeline, options, home: home)
  let start = ContinuousClock.now
  try session.type(":search \(needle)\r")
  let end = try session.show([Timeline.mark], named: "the last post", within: patience)
  try session.type("q")
  return seconds(end - start)
}

/// To the first screen of what fits, and to the end.
func filter(
  _ timeline: Timeline, _ options: Options, home: String
) throws -> (first: Double, whole: Double) {
  let keys = ":filter \(Timeline.frequent)\r"
  let session = try open(timeline, options, home: home)
  let start = ContinuousClock.now
  try session.type(keys)
  let first = try session.show(
    ["filter \(Timeline.frequent),"], named: "what fits", within: patience)
  try session.becomeCalm(within: patience)
  try session.type("q")
  let other = try open(timeline, options, home: home)
  // The last byte comes when all rows are looked at.
  let answer = try other.press(keys, within: patience)
  try other.type("q")
  return (seconds(first - start), answer.map { seconds($0.last) } ?? .nan)
}

/// MB/s of searches for each needle, whose markup and words stand in all posts.
func compareNeedles(_ timeline: Timeline, _ options: Options, home: String) throws -> [String] {
  try options.needles.map { needle in
    let times = try (0..<options.rounds).map { _ in
      try search(timeline, for: needle, options, home: home)
    }
    return column("\(Int(Double(timeline.byteCount) / 1e6 / median(times)))", 12)
  }
}

func run(_ options: Options) throws {
  guard access(options.tideline, X_OK) == 0 else { throw BenchmarkError.notBuilt(options.tideline) }
  let folder = try TemporaryFolder(inside: nil, isKept: false)
  let comparesNeedles = options.needles.count > 1
  if comparesNeedles {
    print("     posts      text     MB  MB/s:" + options.needles.map { column($0, 12) }.joined())
  } else {
    print("     posts      text     MB    grep ms  search ms  ratio   MB/s  filter: first, all ms")
  }
  for posts in options.posts {
    for text in options.texts {
      try Interruption.check()
      let timeline = try Timeline(
        text, posts: posts, pieces: options.pieces, folder: folder.path)
      if comparesNeedles {
        let figures = try compareNeedles(timeline, options, home: folder.emptyFolder("home"))
        let megabytes = column("\(timeline.byteCount / 1_000_000)", 7)
        print(
          column("\(posts)", 10) + column(text.rawValue, 10) + megabytes + "       "
            + figures.joined())
        fflush(nil)
        folder.remove(timeline.path)
        continue
      }
      var (found, rival, first, whole): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
      for _ in 0..<options.rounds {
        let home = try folder.emptyFolder("home")
        rival.append(grep(timeline, options.needles[0]))
        found.append(try search(timeline, for: options.needles[0], options, home: home))
        let filtered = try filter(timeline, options, home: home)
        first.append(filtered.first)
        whole.append(filtered.whole)
      }
      let megabytes = Double(timeline.byteCount) / 1e6
      let (time, beside) = (median(found), median(rival))
      let ratio = (time / beside * 10).rounded() / 10
      let cells = [
        column("\(posts)", 10), column(text.rawValue, 10), column("\(Int(megabytes))", 7),
        column(milliseconds(beside), 11), column(milliseconds(time), 11), column("\(ratio)", 7),
        column("\(Int(megabytes / time))", 7), column(milliseconds(median(first)), 9),
        column(milliseconds(median(whole)), 7),
      ]
      print(cells.joined())
      fflush(nil)
      folder.remove(timeline.path)
    }
  }
}

if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
  print(usage)
  exit(0)
}
do {
  Interruption.listen()
  try run(Options(Array(CommandLine.arguments.dropFirst())))
} catch let error as BenchmarkError {
  let line = Array("SearchBenchmark: \(error)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(error.exitStatus)
}

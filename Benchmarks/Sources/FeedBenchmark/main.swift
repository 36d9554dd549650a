import Glibc
import TerminalSession

/// Times how fast the built program reads feeds and prints them, beside libxml2 on the same bytes.

let usage = """
  usage: FeedBenchmark [--megabytes 40] [--rounds 5] [--tideline PATH] [--only rss,atom,jsonfeed,jsonl]
                       [--forms json,plain,terminal,libxml2] [--files PATH,PATH]
    --megabytes  size of each feed; generated in the temporary folder, and deleted
    --rounds     runs of each, in turns; medians are printed
    --tideline   a release build; .build/release/tideline by default
    --only       of these formats; all by default
    --forms      to JSON, to text, on a screen, and libxml2; all by default
    --files      these feeds instead, which are not opened on a screen
  """

struct Options {
  var megabytes = 40
  var rounds = 5
  var tideline = ".build/release/tideline"
  var formats = FeedFile.Format.allCases
  var forms: Set<String> = Self.allForms
  var files: [String] = []

  private static let allForms: Set<String> = ["json", "plain", "terminal", "libxml2"]

  init(_ words: [String]) throws(BenchmarkError) {
    var index = 0
    while index < words.count {
      let word = words[index]
      guard index + 1 < words.count, case let value = words[index + 1] else {
        throw .wrongArgument(word)
      }
      switch word {
      case "--megabytes": megabytes = Int(value) ?? 0
      case "--rounds": rounds = Int(value) ?? 0
      case "--tideline": tideline = value
      case "--only":
        formats = value.split(separator: ",").compactMap { .init(rawValue: String($0)) }
      case "--forms":
        forms = Set(value.split(separator: ",").map(String.init))
        guard forms.isSubset(of: Self.allForms) else { throw .wrongArgument("\(word) \(value)") }
      case "--files": files = value.split(separator: ",").map(String.init)
      default: throw .wrongArgument(word)
      }
      guard megabytes > 0, rounds > 0, !formats.isEmpty else { throw .wrongArgument(value) }
      index += 2
    }
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func column(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

func rounded(_ value: Double, _ digits: Int = 0) -> String {
  let factor = pow(10.0, Double(digits))
  let number = (value * factor).rounded() / factor
  return digits == 0 ? "\(Int(number))" : "\(number)"
}

/// - Parameters:
///   - marks: what only the first and only the last item have; nil where that is not known.
///   - home: an empty folder.
func measure(
  _ name: String, _ path: String, _ bytes: Int, marks: (first: String, last: String)?,
  home: String, _ options: Options
) throws(BenchmarkError) {
  var runs: [String: [Run]] = [:]
  var openings: [Opening] = []
  var parsers: [String: [Double]] = [:]
  for _ in 0..<options.rounds {
    for form in ["json", "plain"] where options.forms.contains(form) {
      runs[form, default: []].append(try Run(options.tideline, ["--" + form, path]))
    }
    if let marks, options.forms.contains("terminal") {
      openings.append(try Opening(options.tideline, of: path, marks: marks, home: home))
    }
    for function in ["xmlReadFile", "htmlReadFile"] where options.forms.contains("libxml2") {
      // JSON is one text to them.
      guard function == "htmlReadFile" || name == "rss" || name == "atom" || name.hasSuffix("ml")
      else { continue }
      if let seconds = LibXML.seconds(path, function: function) {
        parsers[function, default: []].append(seconds)
      }
    }
  }
  let megabytes = Double(bytes) / Double(1 << 20)
  func memory(_ bytes: [Int]) -> String {
    bytes.isEmpty ? "–" : rounded(median(bytes.map(Double.init)) / Double(1 << 20))
  }
  func milliseconds(_ seconds: [Double]) -> String {
    seconds.isEmpty ? "–" : rounded(median(seconds) * 1_000, 1)
  }
  func rate(_ seconds: [Double], _ digits: Int = 0) -> String {
    seconds.isEmpty ? "–" : rounded(megabytes / median(seconds), digits)
  }
  var line = column(name, 10) + column(rounded(megabytes), 6)
  for form in ["json", "plain"] {
    let all = runs[form] ?? []
    line += column(rate(all.map(\.whole), 1), 9) + column(milliseconds(all.map(\.first)), 9)
    line += column(memory(all.map(\.peak)), 7)
  }
  line += column(milliseconds(openings.map(\.first)), 9)
  line += column(milliseconds(openings.map(\.end)), 8)
  line += column(memory(openings.map(\.resident)), 6)
  for function in ["xmlReadFile", "htmlReadFile"] {
    line += column(rate(parsers[function] ?? []), 9)
  }
  print(line)
  fflush(nil)
}

func run() throws(BenchmarkError) {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  print(
    "                   --json                   --plain               on a screen            libxml2"
  )
  print(
    "    source    MB     MB/s first ms     MB     MB/s first ms     MB first ms    G ms    MB"
      + "      XML     HTML")
  let folder = try TemporaryFolder(inside: nil, isKept: false)
  for path in options.files {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .system(call: "stat", subject: path, code: errno)
    }
    let name = path.split(separator: "/").last.map { String($0.suffix(10)) } ?? path
    try measure(name, path, Int(status.st_size), marks: nil, home: folder.path, options)
  }
  guard options.files.isEmpty else { return }
  for format in options.formats {
    let file = try FeedFile(format, megabytes: options.megabytes, folder: folder.path)
    try measure(
      format.rawValue, file.path, file.byteCount, marks: file.marks,
      home: folder.emptyFolder("home"), options)
    folder.remove(file.path)
  }
}

if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
  print(usage)
  exit(0)
}
Interruption.listen()
do throws(BenchmarkError) {
  try run()
} catch {
  let lines = "FeedBenchmark: \(error)\n\(usage)\n"
  _ = write(STDERR_FILENO, lines, lines.utf8.count)
  exit(error.exitStatus)
}

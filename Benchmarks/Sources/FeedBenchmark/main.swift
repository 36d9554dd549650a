import Glibc

/// Times how fast the built program reads feeds and prints them, beside libxml2 on the same bytes.

let usage = """
  usage: FeedBenchmark [--megabytes 40] [--rounds 5] [--tideline PATH] [--only rss,atom,jsonfeed,jsonl]
                       [--files PATH,PATH]
    --megabytes  size of each feed; generated in the temporary folder, and deleted
    --rounds     runs of each, in turns; medians are printed
    --tideline   a release build; .build/release/tideline by default
    --only       of these formats; all by default
    --files      these feeds instead
  """

struct Options {
  var megabytes = 40
  var rounds = 5
  var tideline = ".build/release/tideline"
  var formats = FeedFile.Format.allCases
  var files: [String] = []

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

func measure(_ name: String, _ path: String, _ bytes: Int, _ options: Options)
  throws(BenchmarkError)
{
  var runs: [String: [Run]] = [:]
  var parsers: [String: [Double]] = [:]
  for _ in 0..<options.rounds {
    for form in ["--json", "--plain"] {
      runs[form, default: []].append(try Run(options.tideline, [form, path]))
    }
    for function in ["xmlReadFile", "htmlReadFile"] {
      // JSON is one text to them.
      guard function == "htmlReadFile" || name == "rss" || name == "atom" || name.hasSuffix("ml")
      else { continue }
      if let seconds = LibXML.seconds(path, function: function) {
        parsers[function, default: []].append(seconds)
      }
    }
  }
  let megabytes = Double(bytes) / Double(1 << 20)
  var line = column(name, 10) + column(rounded(megabytes), 6)
  for form in ["--json", "--plain"] {
    let all = runs[form] ?? []
    line += column(rounded(megabytes / median(all.map(\.whole)), 1), 9)
    line += column(rounded(median(all.map(\.first)) * 1_000, 1), 9)
    line += column(rounded(median(all.map { Double($0.peak) }) / Double(1 << 20)), 7)
  }
  for function in ["xmlReadFile", "htmlReadFile"] {
    line += column(parsers[function].map { rounded(megabytes / median($0)) } ?? "–", 9)
  }
  print(line)
  fflush(nil)
}

func run() throws(BenchmarkError) {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  print("                   --json                   --plain                  libxml2")
  print("    source    MB     MB/s first ms     MB     MB/s first ms     MB      XML     HTML")
  if !options.files.isEmpty {
    for path in options.files {
      var status = stat()
      guard stat(path, &status) == 0 else { throw .system("stat", path, errno) }
      let name = path.split(separator: "/").last.map { String($0.suffix(10)) } ?? path
      try measure(name, path, Int(status.st_size), options)
    }
    return
  }
  let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  let folder = temporary + "/tideline-feeds-\(getpid())"
  guard mkdir(folder, 0o700) == 0 else { throw .system("mkdir", folder, errno) }
  defer { rmdir(folder) }
  for format in options.formats {
    let file = try FeedFile(format, megabytes: options.megabytes, folder: folder)
    defer { unlink(file.path) }
    try measure(format.rawValue, file.path, file.byteCount, options)
  }
}

do throws(BenchmarkError) {
  try run()
} catch {
  let lines = "FeedBenchmark: \(error.message)\n\(usage)\n"
  _ = write(STDERR_FILENO, lines, lines.utf8.count)
  if case .wrongArgument = error { exit(64) }
  exit(1)
}

import Glibc
import TerminalSession

/// Opens and refreshes libraries with the built program, beside a file of lines with the same posts and
/// newsboat with the same feeds, which a server on the loopback interface provides.

func run(_ options: Options) throws(BenchmarkError) {
  guard access(options.tideline, X_OK) == 0 else { throw .notBuilt(options.tideline) }
  let folder = try TemporaryFolder(inside: nil, isKept: false)
  if !Newsboat.isInstalled { print("newsboat is not installed") }
  if options.opens {
    print(
      "    items   program  first ms  ratio      MB    line    page       v       ]       A     A+U"
        + "  filter arrive:    99 %")
    for size in options.sizes {
      let files = try folder.emptyFolder("files")
      let library = try FilledLibrary(items: size, options, folder: files)
      try OpeningFigures(library: library, options: options).print(size, folder: folder)
      print("\(Int(library.rate)) items a second fetched and stored")
      fflush(nil)
      folder.remove(files)
    }
  }
  guard options.refreshes else { return }
  print(
    "  feeds hosts first ms  all s  keys p50 ms p99 ms max ms again s   304 restart newsboat   again"
  )
  for hosts in options.hosts {
    try RefreshFigures(options: options)
      .print(hosts: hosts, folder: folder)
    fflush(nil)
  }
}

let words = Array(CommandLine.arguments.dropFirst())
if ["--help", "-h"].contains(words.first) {
  print(Options.usage)
  exit(0)
}
do throws(BenchmarkError) {
  Interruption.listen()
  try run(Options(words))
} catch {
  let line = Array("LibraryBenchmark: \(error)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(error.exitStatus)
}

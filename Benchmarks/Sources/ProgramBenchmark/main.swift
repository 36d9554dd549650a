/// Opens tideline, and `less` and `lnav` where they are installed, in a terminal of 200x50 and
/// measures them from outside: the first frame, every key, bursts of keys, memory, and doing
/// nothing.
///
///     swift build -c release --product tideline
///     swift run --package-path Benchmarks -c release ProgramBenchmark --sizes 1e3,1e5

import Glibc
import TerminalSession

func printError(_ text: String) {
  let line = Array("ProgramBenchmark: \(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

do {
  switch try Arguments.parse(CommandLine.arguments.dropFirst()) {
  case .help: print(Arguments.usage)
  case .run(let arguments):
    Interruption.listen()
    let benchmark = try Benchmark(arguments)
    exit(try benchmark.run() ? 0 : 1)
  }
} catch let error as BenchmarkError {
  printError("\(error)")
  exit(error.exitStatus)
}

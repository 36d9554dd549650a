import BenchmarkPictures
import FoundationEssentials
import Glibc
import TerminalSession

/// Pictures on the screen of the built program: how long after its last byte one is painted, what a
/// line of a held key costs while they pass, and what large ones take beside chafa and timg.
let usage = """
  usage: PictureBenchmark [--tideline PATH] [--pictures N] [--rounds N] [--seed N]
                          [--only latency|bytes|large]
                          [--mode symbols|sixel|kitty|iterm2] [--all]
  """

let patience = Duration.seconds(60)

do {
  if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
    print(usage)
    exit(0)
  }
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  guard access(options.tideline, X_OK) == 0 else { throw BenchmarkError.notBuilt(options.tideline) }
  Interruption.listen()
  let folder = try TemporaryFolder(inside: nil, isKept: false)
  if options.does("latency") { try PictureLatency.measure(options, folder: folder) }
  if options.does("bytes") { try HeldKey.measure(options, folder: folder) }
  if options.does("large") { try LargePictures.measure(options, folder: folder) }
} catch let error as BenchmarkError {
  let line = Array("PictureBenchmark: \(error)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(error.exitStatus)
}

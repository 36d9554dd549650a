import FoundationEssentials
import Glibc
import TerminalSession

/// A timeline of posts with one picture each, in a program that shows it.
enum Timeline {
  /// - Returns: the file's path.
  static func write(_ urls: [String], in folder: String) throws(BenchmarkError) -> String {
    let lines = urls.enumerated().map { number, url in
      #"{"id":"\#(number)","title":"Post \#(number)","content_text":"Gauge.","image":"\#(url)"}"#
    }
    let path = folder + "/timeline.jsonl"
    let data = Data((lines.joined(separator: "\n") + "\n").utf8)
    guard FileManager.default.createFile(atPath: path, contents: data) else {
      throw .system(call: "open", subject: path, code: errno)
    }
    return path
  }

  /// The program once its first post stands.
  static func open(
    _ options: Options, _ path: String, mode: String, home: String,
    size: TerminalSize = TerminalSize(), terminalName: String = "ProgramBenchmark(1)",
    keepsPictures: Bool = false
  ) throws(BenchmarkError) -> Session {
    let session = try Session(
      "tideline", path: options.tideline,
      arguments: ["--no-animation", "--no-state", "--allow-private-addresses", "--pictures", mode]
        + (keepsPictures ? [] : ["--no-image-cache"]) + [path],
      home: home, terminalName: terminalName, size: size)
    _ = try session.show(["Post 0"], named: "the first post", within: patience)
    return session
  }
}

func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

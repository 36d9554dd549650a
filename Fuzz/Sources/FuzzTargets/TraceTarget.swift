import Glibc

@testable import Feeds
@testable import TimelineUI

extension FuzzTarget {
  /// Lines of the trace: each is JSON that reads back to what was put in. Runs on the main thread.
  static let trace = FuzzTarget(
    "trace", modules: ["TimelineUI", "Feeds"], longestInput: 512, briefRuns: 8000,
    seeds: traceSeeds.map { Array($0.utf8) }
  ) { bytes in
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).prefix(8).map {
      String(decoding: $0, as: UTF8.self)
    }
    let bytes = try MainActor.assumeIsolated { try trace(of: texts) }
    let lines = bytes.split(separator: 10)
    try require(lines.count == texts.count, "\(lines.count) lines of \(texts.count) events")
    for (line, text) in zip(lines, texts) {
      guard let value = try? JSONParser.value(of: Array(line)), let fields = JSONFields(value)
      else {
        throw Finding(description: "no JSON: \(String(decoding: line, as: UTF8.self))")
      }
      try require(fields["url"] == .string(text), "\(text.debugDescription) reads back otherwise")
      try require(fields["event"] == .string("fetch"), "another event")
      try require((fields.number("t") ?? -1) >= 0, "a time of \(fields.members)")
    }
  }

  /// Without a name; every trace empties it.
  private static let file: Int32 = {
    var path = Array("/tmp/tideline-trace-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    unlink(path)
    return file
  }()

  /// The bytes of a trace of events with these texts.
  @MainActor private static func trace(of texts: [String]) throws -> [UInt8] {
    guard file >= 0 else { throw Finding(description: "no file to write to") }
    let trace = try TraceWriter(path: "/proc/self/fd/\(file)", start: .now)
    for text in texts { trace.write(event: "fetch", "\"url\":\(TraceWriter.quoted(text))") }
    if let failure = trace.failure { throw Finding(description: failure.message) }
    let count = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file, &bytes, count, 0)
    try require(read == count, "\(read) of \(count) bytes")
    return bytes
  }

  private static let traceSeeds = ["https://tideline.example/a.png"]
}

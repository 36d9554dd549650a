import TestSupport
import Testing

/// `--trace` records what the terminal received.
@Suite(.ownThreads) struct TraceTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The bytes of all frames so far, from the last frame in a trace.
  private func bytes(in trace: String) throws -> Int {
    let text = String(decoding: try PackageFiles.bytes(at: trace), as: UTF8.self)
    let frame = try #require(
      text.split(separator: "\n").last { $0.contains("\"event\":\"frame\"") })
    let number = frame.split(separator: "\"bytes\":").last?.prefix { $0.isNumber }
    return try #require(number.flatMap { Int($0) })
  }

  @Test func framesCountTheBytesSent() async throws {
    let path = try home.write(TestTimeline.lines(400), to: "tides.jsonl")
    let trace = home.path + "/trace"
    let session = try ProgramUnderTest.start([path, "--trace", trace], home: home)
    try await session.settle { $0.contains("1 of 400") }
    var told = try bytes(in: trace)
    var received = await session.transcript.count
    for keys in ["\u{5}", "\u{5}\u{5}\u{19}", "j", "G", "g", "\u{C}"] {
      await session.send(keys)
      try await session.settle()
      let (nowTold, nowReceived) = (try bytes(in: trace), await session.transcript.count)
      #expect(nowReceived - received == nowTold - told, "keys \(keys.debugDescription)")
      #expect(nowTold > told)
      (told, received) = (nowTold, nowReceived)
    }
  }
}

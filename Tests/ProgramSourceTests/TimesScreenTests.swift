import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The relative times of posts in the idle real program.
@Suite(.ownThreads) struct TimesScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func post(_ id: Int, secondsAgo: Int) -> String {
    let seconds = Date().timeIntervalSince1970 - Double(secondsAgo)
    let date = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    return TestTimeline.json([
      "id": "\(id)", "content_text": "words \(id)", "date_published": date,
    ])
  }

  /// The number of armed timers, as in `IdleTests`.
  ///
  /// - Parameter clock: a text that their descriptions must contain, such as the number of the
  ///   system's clock.
  private func armedTimers(
    of session: TerminalSession, by clock: String = "clockid:"
  ) throws -> Int {
    let folder = "/proc/\(session.processID)/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      let info = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      return info.contains(clock) && !info.contains("it_value: (0, 0)")
    }
  }

  @Test func nowBecomesAMinuteByItself() async throws {
    let path = try home.write(
      post(1, secondsAgo: 56) + "\n" + post(2, secondsAgo: 90_000_000) + "\n", to: "tides.jsonl")
    let session = try ProgramUnderTest.start([path], home: home)
    try await session.settle { $0.contains("now") && $0.contains("words 2") }
    #expect(try armedTimers(of: session, by: "clockid: 0\n") == 1)
    let later = try await session.settle { $0.contains("1 min") }
    #expect(!later.contains("now"))
    // The age of a later post is computed when it arrives.
    try append(post(3, secondsAgo: 0), to: path)
    let grown = try await session.settle { $0.contains("words 3") }
    #expect(grown.contains("now") && !grown.contains("in 1 min"))
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func unchangingTimesSetNoTimer() async throws {
    let lines = (1...40).map { post($0, secondsAgo: 90_000_000) }.joined(separator: "\n")
    let session = try ProgramUnderTest.start(
      [try home.write(lines + "\n", to: "tides.jsonl")], home: home)
    try await session.settle { $0.contains("1 of 40") }
    await session.send("jj Gg")
    try await session.settle { $0.contains("1 of 40") }
    try await session.waitUntilIdle(for: TerminalSession.overASecond)
    #expect(try armedTimers(of: session) == 0)
  }

  private func append(_ text: String, to path: String) throws {
    let descriptor = openFile(path, O_WRONLY | O_APPEND)
    try #require(descriptor >= 0)
    let bytes = Array((text + "\n").utf8)
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    #expect(written == bytes.count)
  }
}

// Inside a type with a method of the same name, the system's function needs another name.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

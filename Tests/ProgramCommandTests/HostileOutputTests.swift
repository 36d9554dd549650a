import FoundationEssentials
import TestSupport
import Testing

/// Checks the raw bytes of all outputs of the program for hostile text from feeds, files and
/// servers.
@Suite(.ownThreads) struct HostileOutputTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// A document with every hostile text in every field of `format`, in these writings.
  ///
  /// A readable item comes first: XML that begins with an unreadable one may be rejected as a
  /// whole.
  private func document(_ format: HostileFormat, _ writings: [HostileText.Writing]) -> [UInt8] {
    var items = format.fields.map { ($0, Array("lighthouse".utf8)) }
    for text in HostileText.all {
      for writing in writings {
        guard let bytes = text.bytes(writing) else { continue }
        items += (text.isLong ? Array(format.fields.prefix(2)) : format.fields).map { ($0, bytes) }
      }
    }
    return format.document(items)
  }

  private func expectClean(
    _ bytes: [UInt8], _ what: String, _ channel: HostileOutput.Channel = .text,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let problems = HostileOutput.problems(in: bytes, channel)
    if !problems.isEmpty { Issue.record("\(what): \(problems)", sourceLocation: sourceLocation) }
  }

  private func file(_ path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }

  // MARK: Documents

  @Test(arguments: HostileFormat.all) func printed(format: HostileFormat) async throws {
    let outputs = [("--plain", HostileOutput.Channel.text), ("--json", .json)]
    let number = HostileFormat.all.firstIndex { $0.option == format.option } ?? 0
    let writings = Array(format.writings.enumerated())
    let some = writings.count < 3 ? writings : Rounds.some(of: writings, number: number, step: 3)
    for (index, writing) in some {
      let path = try home.write(document(format, [writing]), to: "hostile")
      // With several writings, each is printed in one form only, unless many rounds are run.
      let isEach = Rounds.areMany || format.writings.count == 1
      for (option, channel) in isEach ? outputs : [outputs[index % 2]] {
        let result = try await ProgramUnderTest.run(
          [option, "--format", format.option, path], home: home)
        let what = "\(format), \(writing), \(option)"
        #expect(result.status == .exited(0), "\(what): \(result.errorText)")
        #expect(!result.output.isEmpty)
        expectClean(result.output, what, channel)
        expectClean(result.errors, what)
      }
    }
  }

  /// All formats are drawn as posts, so the one with the most fields suffices.
  private static let drawnFormats = HostileFormat.all.filter {
    Rounds.areMany || $0.option == "mastodon"
  }

  @Test(arguments: drawnFormats) func shown(format: HostileFormat) async throws {
    let writing = format.writings.contains(.escapes) ? HostileText.Writing.escapes : .raw
    let path = try home.write(document(format, [writing]), to: "hostile")
    let (trace, log) = (home.path + "/trace", home.path + "/log")
    let session = try ProgramUnderTest.start(
      ["--format", format.option, "--trace", trace, "--log-file", log, path], home: home,
      size: TerminalSize(columns: 160, rows: 200))
    try await session.settle { $0.contains("post 1 of") }
    var former = ""
    for _ in 0..<200 {
      await session.send("x ")
      let text = try await session.settle(quiet: .milliseconds(40)).text
      if text == former { break }
      former = text
    }
    await session.send("?")
    try await session.settle { $0.contains("closes this page") }
    await session.send("q" + "q")
    #expect(try await session.waitForExit() == .exited(0))
    let problems = HostileOutput.problems(inTerminal: await session.transcript)
    #expect(problems.isEmpty)
    #expect(!file(trace).isEmpty)
    expectClean(file(trace), "trace", .json)
    expectClean(file(log), "log")
  }

  // MARK: Names

  @Test func titlesOfDocuments() async throws {
    let heads: [(String, (String) -> String)] = [
      (
        "jsonfeed",
        {
          "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"\($0)\",\"home_page_url\":\"https://t.example/\($0)\",\"description\":\"\($0)\",\"authors\":[{\"name\":\"\($0)\"}],\"items\":[{\"id\":\"1\",\"content_text\":\"words\"}]}"
        }
      ),
      (
        "rss",
        {
          "<rss version=\"2.0\"><channel><title>\($0)</title><description>\($0)</description><item><title>words</title></item></channel></rss>"
        }
      ),
      (
        "atom",
        {
          "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>\($0)</title><author><name>\($0)</name></author><entry><id>1</id><title>words</title></entry></feed>"
        }
      ),
    ]
    let writings = [HostileText.Writing.raw, .escapes, .references, .escapedReferences]
    for (number, (format, head)) in heads.enumerated() {
      for writing in Rounds.some(of: writings, number: number, step: 2) {
        let texts = HostileText.all.filter { !$0.isLong && $0.string != nil }
        // Texts without a terminator come last.
        let ordered =
          texts.filter { !$0.description.contains("without") }
          + texts.filter { $0.description.contains("without") }
        let value = ordered.compactMap { $0.bytes(writing) }
          .map { String(decoding: $0, as: UTF8.self) }
          .map { writing == .raw && format == "jsonfeed" ? $0.replacing("\\", with: "\\\\") : $0 }
          .joined(separator: "·")
        let path = try home.write(head(value), to: "titled.\(format)")
        let session = try ProgramUnderTest.start(
          ["--format", format, path], home: home, size: TerminalSize(columns: 900, rows: 20))
        try await session.waitFor("a screen or an error") {
          $0.contains("words") || $0.contains("tideline:")
        }
        await session.send("q")
        try await session.waitForExit()
        let problems = HostileOutput.problems(inTerminal: await session.transcript)
        #expect(problems.isEmpty, "\(format), \(writing)")
      }
    }
  }

  /// Missing files, values of options and addresses.
  @Test func namesOnTheCommandLine() async throws {
    for (number, name) in HostileText.names(ofAtMost: 180).enumerated() {
      let all = [
        [home.path + "/absent\(name)"], ["--format", name, "x"], ["--pictures", name],
        ["--\(name)"],
        ["--trace", "/absent/\(name)", "--plain", home.path],
        ["--log-file", "/absent/\(name)", "x"],
        ["demo", "x\(name)"], ["demo", "--rows", name], ["http://\(name)/"], ["ftp://\(name)"],
        ["http://127.0.0.1:1/\(name)"], ["file:///\(name)"], ["--plain", "http://[\(name)"],
      ]
      for arguments in Rounds.some(of: all, number: number, step: 8) {
        let result = try await ProgramUnderTest.run(arguments, home: home)
        #expect(result.status != .exited(0), "\(arguments)")
        #expect(!result.errors.isEmpty, "\(arguments)")
        expectClean(result.errors, "\(arguments)")
        expectClean(result.output, "\(arguments)")
      }
    }
  }

  @Test func namesOfFilesThatAreShown() async throws {
    let posts = "{\"content_text\":\"words of a post\"}\n"
    for name in HostileText.names(ofAtMost: 180) {
      let path = try home.write(posts, to: "v\(name)")
      let (trace, log) = (home.path + "/trace", home.path + "/log")
      let session = try ProgramUnderTest.start(
        ["--trace", trace, "--log-file", log, path], home: home,
        size: TerminalSize(columns: 120, rows: 20))
      try await session.waitFor(text: "words of a post")
      await session.send("q")
      try await session.waitForExit()
      let problems = HostileOutput.problems(inTerminal: await session.transcript)
      #expect(problems.isEmpty, "\(name.debugDescription)")
      expectClean(file(trace), "trace", .json)
      expectClean(file(log), "log")
      expectClean(file(home.path + "/state/tideline/last"), "state")
    }
  }

  @Test func aTerminalsName() async throws {
    for string in HostileText.names(ofAtMost: 400) {
      var personality = TerminalPersonality.mute
      personality.term = string
      let path = try home.write("{\"content_text\":\"words\"}\n", to: "one.jsonl")
      let session = try ProgramUnderTest.start([path], home: home, personality: personality)
      // The terminal is refused, or treated as an ordinary one.
      try await session.waitFor("an end") { $0.contains("words") || $0.contains("tideline:") }
      await session.send("q")
      try await session.waitForExit()
      let problems = HostileOutput.problems(inTerminal: await session.transcript)
      #expect(problems.isEmpty, "TERM \(string.debugDescription)")
    }
  }

  // MARK: Servers

  /// Values of header fields, without line breaks, which would end them.
  private var headValues: [[UInt8]] {
    let values = HostileText.names(ofAtMost: 500).map { Array($0.utf8) }
    let bytes = HostileText.all.filter { $0.string == nil }.compactMap { $0.bytes(.raw) }
    let marks = HostileText.all.filter(\.isLong).compactMap { $0.bytes(.raw) }
    return (values + bytes + marks).map { $0.filter { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
  }

  private func answers(_ value: [UInt8]) -> [(String, [MisbehavingServer.Step])] {
    func answer(_ status: String, _ field: String, _ body: [UInt8]) -> [MisbehavingServer.Step] {
      let start = "HTTP/1.1 \(status)"
      return [
        .send(
          Array(start.utf8) + Array("\r\n\(field)".utf8) + value
            + Array("\r\nConnection: close\r\n\r\n".utf8)
            + body)
      ]
    }
    let posts = Array("{\"content_text\":\"words\"}\n".utf8)
    return [
      (
        "reason",
        [.send(Array("HTTP/1.1 404 ".utf8) + value + Array("\r\nContent-Length: 0\r\n\r\n".utf8))]
      ),
      ("first line", [.send(value + Array("\r\n\r\n".utf8))]),
      (
        "field name",
        [.send(Array("HTTP/1.1 200 OK\r\n".utf8) + value + Array(": x\r\n\r\n".utf8) + posts)]
      ),
      ("location", answer("302 Found", "Location: ", [])),
      ("location's host", answer("302 Found", "Location: http://", [])),
      ("location's scheme", answer("302 Found", "Location: x", [])),
      ("content type", answer("200 OK", "Content-Type: ", [0, 1, 2])),
      ("content encoding", answer("200 OK", "Content-Encoding: ", posts)),
      ("transfer encoding", answer("200 OK", "Transfer-Encoding: ", posts)),
      ("link", answer("200 OK", "Content-Type: application/json\r\nLink: <", posts)),
      ("retry after", answer("429 Too", "Retry-After: ", [])),
      ("body", answer("500 Error", "Content-Type: text/plain; x=", value)),
      ("cookie", answer("200 OK", "Set-Cookie: ", posts)),
    ]
  }

  @Test func serverAnswers() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    for (number, value) in headValues.enumerated() {
      for (name, steps) in Rounds.some(of: answers(value), number: number, step: 8) {
        server.route("/x", steps)
        let result = try await ProgramUnderTest.run(["--plain", server.url("/x")], home: home)
        expectClean(result.errors, "\(name), \(number)")
        expectClean(result.output, "\(name), \(number)")
      }
    }
  }

  /// Answers to requests for pictures, whose rows show the failure.
  @Test func pictureAnswers() async throws {
    let server = try MisbehavingServer()
    defer { server.stop() }
    var lines = ""
    for (number, value) in headValues.enumerated() {
      for (name, steps) in answers(value) {
        let path = "/\(number)/\(name.replacing(" ", with: "-").replacing("'", with: ""))"
        server.route(path, steps)
        lines +=
          TestTimeline.json(["content_text": "\(number) \(name)", "image": server.url(path)]) + "\n"
      }
    }
    let path = try home.write(lines, to: "pictures.jsonl")
    let (trace, log) = (home.path + "/trace", home.path + "/log")
    let session = try ProgramUnderTest.start(
      ["--trace", trace, "--log-file", log, path], home: home,
      size: TerminalSize(columns: 160, rows: 200))
    var former = ""
    try await session.settle { _ in !server.seen.paths.isEmpty }
    for _ in 0..<60 {
      let text = try await session.settle(quiet: .milliseconds(100)) { !$0.contains("↓") }.text
      if text == former { break }
      former = text
      await session.send(" ")
    }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(server.seen.paths.count > 2 * headValues.count)
    let problems = HostileOutput.problems(inTerminal: await session.transcript)
    #expect(problems.isEmpty)
    expectClean(file(trace), "trace", .json)
    expectClean(file(log), "log")
  }
}

import TestSupport
import Testing

/// The program on a terminal that follows kitty's protocol strictly (``KittyImages``): with flings,
/// jumps and resizes, nothing invalid is sent, no cell refers to a missing image, and no image is
/// left at the end.
@Suite(.ownThreads) struct KittyProtocolTests {
  private static let count = 120
  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  private func start(seed: UInt64) throws -> TerminalSession {
    var random = SeededGenerator(seed: seed)
    let lines = (0..<Self.count).map { row in
      let (width, height) = (
        Int.random(in: 20...300, using: &random), Int.random(in: 20...180, using: &random)
      )
      let color = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      server.route(
        "/\(row).png",
        MisbehavingServer.Step.response(
          body: TestPicture.flat(width: width, height: height, color)))
      return TestTimeline.json([
        "title": "#\(row) harbour", "content_text": "Gauge.", "image": server.url("/\(row).png"),
      ])
    }
    let path = try home.write(lines.joined(separator: "\n") + "\n", to: "pictures.jsonl")
    return try ProgramUnderTest.start(
      ["--no-state", path], home: home, size: TerminalSize(columns: 80, rows: 30),
      personality: .kitty)
  }

  /// - Parameter screen: the last screen read; a later one may show newer pictures.
  private func expectStrict(
    _ session: TerminalSession, showing screen: ScreenSnapshot, _ place: String
  ) async {
    let images = await session.kittyImages
    #expect(images.violations == [], "\(place)")
    #expect(images.problems(of: screen).prefix(3) == [], "\(place)")
  }

  @Test(arguments: [UInt64(41), 42]) func theProtocolIsFollowedStrictly(seed: UInt64) async throws {
    defer { server.stop() }
    let session = try start(seed: seed)
    try await session.settle { $0.contains("post 1 of \(Self.count)") }
    var random = SeededGenerator(seed: seed)
    for step in 0..<40 {
      let place = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        try await session.resize(
          columns: Int.random(in: 24...120, using: &random),
          rows: Int.random(in: 6...50, using: &random))
      case 1: await session.send("\(Int.random(in: 1...Self.count, using: &random))G")
      case 2: await session.send(["g", "G", "?q", "j"].randomElement(using: &random) ?? "j")
      default:
        let key = [" ", "b", "j", TerminalKey.control("e")].randomElement(using: &random) ?? " "
        for _ in 0..<Int.random(in: 1...25, using: &random) {
          await session.send(key)
          try await session.watch(for: .milliseconds(8))
        }
      }
      if step % 4 == 3 {
        let screen = try await session.settle(quiet: .milliseconds(120))
        await expectStrict(session, showing: screen, place)
      }
    }
    let screen = try await session.settle { !$0.contains("↓ ") }
    await expectStrict(session, showing: screen, "seed \(seed), at rest")
    let sent = await session.kittyImages.transmitted
    #expect(sent > 20, "seed \(seed): only \(sent) pictures were sent")
    await session.send("q")
    try await session.waitForExit()
    let left = await session.kittyImages
    #expect(left.count == 0 && left.keptBytes == 0 && left.violations == [], "seed \(seed)")
  }

  /// The model detects commands that terminals refuse or misunderstand.
  @Test(arguments: [
    ("_Ga=T,U=1,q=2,f=32,s=1,v=1,i=16,c=1,r=1,m=0;AAAAAA==", ""),
    ("_Ga=T,U=1,q=2,f=32,s=1,v=1,i=16,c=1,r=1,m=0;AAAA", "3 bytes for"),
    ("_Ga=T,U=1,q=2,f=100,i=16,c=1,r=1,m=0;AAAAAA==", "no whole PNG"),
    ("_Ga=T,U=1,q=2,f=32,s=1,v=1,i=256,c=1,r=1,m=0;AAAAAA==", "cannot name image 256"),
    ("_Ga=T,U=1,q=2,f=32,s=1,v=1,i=16,c=298,r=1,m=0;AAAAAA==", "c=298"),
    ("_Ga=T,U=1,f=32,s=1,v=1,i=16,c=1,r=1,m=0;AAAAAA==", "asks for a reply"),
    ("_Ga=T,q=2,f=32,s=1,v=1,i=16,c=1,r=1,m=0;AAAAAA==", "without placeholders"),
    ("_Ga=T,U=1,q=2,f=32,s=1,v=1,i=16,c=1,r=1,m=2;AAAAAA==", "m=2"),
    ("_Ga=T,U=1,q=2,f=32,s=1,v=1,i=16,c=1,r=1,m=1;AAA", "3 bytes before the last"),
    ("_Gq=2,m=0;AAAA", "a chunk of no picture"),
    ("_Ga=d,d=I,i=17,q=2", "deleted and not there"),
    ("_Ga=d,d=A,q=2", "deletion of something else"),
    ("_Ga=p,i=16,q=2", "the action p"),
  ]) func theModelIsStrict(command: String, violation: String) async throws {
    let session = try TerminalSession(path: "/bin/cat", environment: [:], personality: .kitty)
    await session.inject(Array("\u{1B}\(command)\u{1B}\\".utf8))
    let violations = await session.kittyImages.violations
    if violation.isEmpty {
      #expect(violations == [])
    } else {
      #expect(violations.contains { $0.contains(violation) }, "\(violations)")
    }
    await session.send(signal: 9)
  }

  @Test func chunksAreContiguousAndNumbersUnique() async throws {
    let session = try TerminalSession(path: "/bin/cat", environment: [:], personality: .kitty)
    let whole = "_Ga=T,U=1,q=2,f=32,s=1,v=1,i=16,c=1,r=1,m=0;AAAAAA=="
    let begun = "_Ga=T,U=1,q=2,f=32,s=1,v=1,i=17,c=1,r=1,m=1;AAAA"
    for command in [whole, whole, begun, "_Ga=d,d=I,i=16,q=2"] {
      await session.inject(Array("\u{1B}\(command)\u{1B}\\".utf8))
    }
    let images = await session.kittyImages
    #expect(images.violations == ["image 16 is there already", "image 17 was broken off"])
    await session.inject(
      Array("\u{1B}_Gq=2,m=0;\(String(repeating: "A", count: 4_100))\u{1B}\\".utf8))
    #expect(await session.kittyImages.violations.contains("a chunk of 4100 bytes"))
    await session.send(signal: 9)
  }
}

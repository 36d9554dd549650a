import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A thousand posts with a picture each, of random size and its own colour, from a slow server that
/// fails one time in ten. They are passed by keys, held keys, flings and jumps, in each way that
/// terminals draw pictures.
///
/// 1. Every cell of a picture has the colour of its row.
/// 2. The first line does not move by itself.
/// 3. A picture on the screen at rest took at most 1.3 requests on average.
/// 4. The next start requests nothing that the first has loaded.
@Suite(.ownThreads, .timeLimit(.minutes(20))) struct PictureTrialTests {
  private static let count = 1_000
  private static let size = TerminalSize(columns: 80, rows: 30)
  private static let seed: UInt64 = 20_261

  private let home: TemporaryFolder
  private let server: MisbehavingServer

  init() throws {
    home = try TemporaryFolder()
    server = try MisbehavingServer()
  }

  // MARK: The timeline

  /// The properties of a picture.
  private struct Trial: Sendable {
    enum Failure { case gone, busy, broken }

    let width: Int
    let height: Int
    let isDeclared: Bool
    let milliseconds: Int32
    /// How the first request fails; a picture that is gone fails every time.
    let failure: Failure?
    let color: [UInt8]

    init(_ number: Int) {
      var random = SeededGenerator(seed: PictureTrialTests.seed &+ UInt64(number))
      width = Int.random(in: 40...260, using: &random)
      height = Int.random(in: 16...160, using: &random)
      isDeclared = Bool.random(using: &random)
      // One in ten takes very long.
      let most: Int32 = Int.random(in: 0..<10, using: &random) == 0 ? 1_500 : 300
      milliseconds = Int32.random(in: 0...most, using: &random)
      let kinds: [Failure] = [.gone, .busy, .broken]
      failure = Int.random(in: 0..<10, using: &random) == 0 ? kinds[number % 3] : nil
      // Neighbours have distant colours, as sixels encode colours in percent.
      color = [UInt8(20 + number * 67 % 230), UInt8(20 + number / 230 * 40), 99]
    }
  }

  private func timeline() throws -> String {
    let lines = (0..<Self.count).map { number in
      let trial = Trial(number)
      let declared =
        trial.isDeclared
        ? ",\"_tideline\":{\"width\":\(trial.width),\"height\":\(trial.height)}" : ""
      return """
        {"id":"\(number)","title":"#\(number) harbour","content_text":"Gauge \(number).",\
        "attachments":[{"url":"\(server.url("/p/\(number).png"))","mime_type":"image/png"\
        \(declared)}]}
        """
    }
    return try home.write(lines.joined(separator: "\n") + "\n", to: "trial.jsonl")
  }

  private static func number(_ path: String) -> Int? {
    Int(path.dropFirst("/p/".count).prefix { $0.isNumber })
  }

  private func serve() {
    let asked = Mutex<[Int: Int]>([:])
    server.answer { path in
      guard let number = Self.number(path) else { return nil }
      let trial = Trial(number)
      let times = asked.withLock { asked in
        asked[number, default: 0] += 1
        return asked[number] ?? 1
      }
      let fresh = ("Cache-Control", "max-age=3600")
      let body = TestPicture.flat(width: trial.width, height: trial.height, trial.color)
      let answer: [MisbehavingServer.Step] =
        switch trial.failure {
        case .gone: [.head(status: 404, length: 0, fields: [fresh])]
        case .busy where times == 1: [.head(status: 503, length: 0)]
        case .broken where times == 1:
          [.head(length: body.count, fields: [fresh]), .send(Array(body.prefix(90)))]
        default: [.head(length: body.count, fields: [fresh]), .send(body)]
        }
      return [.pause(milliseconds: trial.milliseconds)] + answer
    }
  }

  /// The ways to draw pictures.
  enum Way: String, CaseIterable {
    case symbols, sixel, kitty, iterm2

    var personality: TerminalPersonality {
      switch self {
      case .symbols: .xterm
      case .sixel: .sixel
      case .kitty: .kitty
      case .iterm2: .iterm2
      }
    }
  }

  private func open(_ path: String, trace: String, as way: Way) throws -> TerminalSession {
    try ProgramUnderTest.start(
      [
        path, "--allow-private-addresses", "--color", "truecolor", "--no-state", "--trace", trace,
      ], home: home, size: Self.size, personality: way.personality)
  }

  // MARK: Checks

  private func title(_ line: String) -> Int? {
    guard let mark = line.firstIndex(of: "#"), line.hasSuffix(" harbour") else { return nil }
    return Int(line[line.index(after: mark)...].prefix { $0.isNumber })
  }

  /// The row of each line: that of the title above it, or the row before the first title.
  private func owners(_ screen: ScreenSnapshot) -> [Int?] {
    let titles = (0..<screen.rows - 2).map { title(text(screen, $0)) }
    var owner = titles.compactMap(\.self).first.map { $0 - 1 }
    return titles.map { found in
      owner = found ?? owner
      return owner
    }
  }

  private func text(_ screen: ScreenSnapshot, _ row: Int) -> String {
    screen.lineWithoutEdge(row)
  }

  /// - Returns: the rows whose pictures are visible, at least in part.
  private func checkColors(_ session: TerminalSession, _ place: String) async -> Set<Int> {
    let (drawn, images) = (await session.drawnScreen, await session.kittyImages)
    let screen = drawn.snapshot
    var painted: Set<Int> = []
    for (row, owner) in owners(screen).enumerated() {
      guard let owner else { continue }
      let color = Trial(owner).color
      let flat = DrawnScreen.flat(color, size: Self.size)
      for (column, cell) in screen.cells[row].enumerated().dropFirst(Self.textColumn).dropLast() {
        var others: [String] = []
        if let shown = drawn.pictures.isEmpty ? nil : drawn.pictures[row][column] {
          painted.insert(owner)
          if shown != flat { others.append("another picture") }
        }
        if let shown = images.color(of: cell) {
          painted.insert(owner)
          if shown != color { others.append("the image of \(shown)") }
        }
        // Sixels are over no-break spaces with distinguishing colours; text has the theme's
        // colours.
        for shown in Self.colors(of: cell) {
          painted.insert(owner)
          if shown != color { others.append("\(shown)") }
        }
        guard others.isEmpty else {
          Issue.record("\(place): line \(row), of post \(owner), shows \(others)")
          return painted
        }
      }
    }
    return painted
  }

  /// Left of this column are the selection mark and initials.
  private static let textColumn = 10

  /// The colours of a picture in a cell with symbols, which are blanks and blocks.
  private static func colors(of cell: ScreenCell) -> [[UInt8]] {
    let isBlank = cell.text.allSatisfy { $0 == " " }
    let isBlock = cell.text.unicodeScalars.allSatisfy { (0x2580...0x259F).contains($0.value) }
    guard isBlank || isBlock else { return [] }
    return (isBlank ? [cell.background] : [cell.foreground, cell.background]).compactMap {
      if case .rgb(let red, let green, let blue) = $0 { [red, green, blue] } else { nil }
    }
  }

  private static func showsPicture(_ cell: ScreenCell) -> Bool {
    cell.text == "\u{A0}" || cell.text.unicodeScalars.first == "\u{10EEEE}"
      || !colors(of: cell).isEmpty
  }

  private static func isQuiet(_ screen: ScreenSnapshot) -> Bool {
    !screen.contains("↓ ") && !screen.contains("for a retry")
  }

  // MARK: The trial

  @Test(arguments: Way.allCases) func aThousandPicturesFindTheirRows(way: Way) async throws {
    defer { server.stop() }
    serve()
    let path = try timeline()
    let trace = home.path + "/trace"
    let session = try open(path, trace: trace, as: way)
    try await session.settle { $0.contains("post 1 of \(Self.count)") }
    var random = SeededGenerator(seed: Self.seed)
    var rested: Set<Int> = []
    var heldFirstLines = 0
    let steps = Rounds.times(way == .symbols || way == .sixel ? 8 : 6)
    for step in 0..<steps {
      try await move(session, step, &random)
      let place = "\(way), seed \(Self.seed), step \(step)"
      let moved = try await session.settle(quiet: .milliseconds(60))
      _ = await checkColors(session, place)
      guard step % 2 == 0 else { continue }
      let still = try await session.settle(quiet: .milliseconds(200), Self.isQuiet)
      rested.formUnion(await checkColors(session, place))
      // While the list is held at its end, growing rows push up the rows above.
      let first = text(moved, 0)
      // A blank line, with or without the mark, may become part of a picture.
      guard first.contains(where: { $0 != "▌" && $0 != " " }),
        !moved.contains("post \(Self.count) of"),
        !moved.cells[0].dropFirst(Self.textColumn).dropLast().contains(where: Self.showsPicture)
      else { continue }
      #expect(text(still, 0) == first, "\(place)")
      heldFirstLines += 1
    }
    await session.send("q")
    try await session.waitForExit()
    let requests = server.seen.paths.compactMap(Self.number)
    let perPicture = Double(requests.count { rested.contains($0) }) / Double(rested.count)
    #expect(
      rested.count >= steps && heldFirstLines >= steps / 7,
      "\(rested.count), \(heldFirstLines) of \(steps) steps")
    #expect(perPicture <= 1.3, "\(perPicture) for each of \(rested.count)")
    try await expectNoRequestsAgain(
      path, as: way, done: fetches(["done", "failed"], in: trace), rested)
  }

  private func move(
    _ session: TerminalSession, _ step: Int, _ random: inout SeededGenerator
  ) async throws {
    func held(_ key: String, _ times: Int) async throws {
      for _ in 0..<times {
        await session.send(key)
        try await session.watch(for: .milliseconds(12))
      }
    }
    switch step % 6 {
    case 0: await session.send("\(Int.random(in: 2...Self.count - 40, using: &random))G")
    case 1: try await held("j", 12)
    case 2: try await held(TerminalKey.control("e"), Int.random(in: 5...40, using: &random))
    case 3: try await held(" ", Int.random(in: 5...25, using: &random))
    case 4: try await held("b", Int.random(in: 1...6, using: &random))
    default: await session.send(["gG", "Gk", "gjjj"][step / 6 % 3])
    }
  }

  /// Starts again and visits some of the rows where the first run rested.
  private func expectNoRequestsAgain(
    _ path: String, as way: Way, done: Set<Int>, _ rested: Set<Int>
  ) async throws {
    let before = server.seen.paths.count
    let trace = home.path + "/trace-2"
    let session = try open(path, trace: trace, as: way)
    try await session.settle { $0.contains("post 1 of \(Self.count)") }
    for (step, row) in rested.sorted().enumerated() where step % (Rounds.areMany ? 5 : 8) == 0 {
      await session.send("\(row + 1)G")
      try await session.settle(quiet: .milliseconds(200)) {
        Self.isQuiet($0) && $0.contains("post \(row + 1) of")
      }
      _ = await checkColors(session, "\(way), second start, post \(row)")
    }
    await session.send("q")
    try await session.waitForExit()
    let again = server.seen.paths.dropFirst(before).compactMap(Self.number)
    #expect(again.filter { done.contains($0) } == [])
    #expect(try fetches(["diskHit"], in: trace).count >= rested.count / 8)
  }

  /// The numbers of the pictures that reached one of these states.
  private func fetches(_ states: [String], in trace: String) throws -> Set<Int> {
    let text = String(decoding: try PackageFiles.bytes(at: trace), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { line in
      states.contains { line.contains("\"state\":\"\($0)\"") }
    }
    return Set(
      lines.compactMap { line in
        line.firstRange(of: "/p/").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
      })
  }

  /// What is requested does not depend on the way: one of them suffices.
  private static let flungWays: [Way] = Rounds.areMany ? Way.allCases : [.symbols]

  /// A held page key from one end to the other requests nothing on the way.
  @Test(arguments: flungWays) func aFlingRequestsOnlyItsEnd(way: Way) async throws {
    defer { server.stop() }
    serve()
    let session = try open(timeline(), trace: home.path + "/trace", as: way)
    try await session.settle { $0.contains("post 1 of \(Self.count)") && Self.isQuiet($0) }
    let before = server.seen.paths.count
    var screen = await session.snapshot
    while !screen.contains("post \(Self.count) of") {
      await session.send(" ")
      try await session.watch(for: .milliseconds(12))
      screen = await session.snapshot
      if (0..<screen.rows).contains(where: { title(text(screen, $0)) == Self.count - 1 }) { break }
    }
    try await session.settle(quiet: .milliseconds(200), Self.isQuiet)
    #expect(await !checkColors(session, "\(way), the end of the fling").isEmpty)
    let asked = Set(server.seen.paths.dropFirst(before).compactMap(Self.number))
    await session.send("q")
    try await session.waitForExit()
    // Two screens and the rows beside them, and as much for each pause of a busy machine.
    let pauses = try pauses(in: home.path + "/trace")
    #expect(
      asked.count <= 60 + 40 * pauses, "\(way): \(asked.count) of \(Self.count), \(pauses) pauses")
  }

  /// The number of gaps between frames that were long enough to end the fling.
  private func pauses(in trace: String) throws -> Int {
    let text = String(decoding: try PackageFiles.bytes(at: trace), as: UTF8.self)
    let times = text.split(separator: "\n").filter { $0.contains("\"event\":\"frame\"") }
      .compactMap { line in
        line.firstRange(of: "\"t\":").flatMap {
          Double(line[$0.upperBound...].prefix { $0.isNumber || $0 == "." })
        }
      }
    return zip(times, times.dropFirst()).count { $1 - $0 > 60 }
  }
}

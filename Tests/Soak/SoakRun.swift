import FoundationEssentials
import Glibc
import TestSupport

/// A fault that the soak has found, with details.
struct SoakFailure: Error {
  var what: String
  var details = ""
}

/// Runs the real program in one terminal after another.
///
///     operations ▸ pause: the answer to them ▸ file and server change, answers are let go ▸ rest
///         ▲                    │ first line ───────────── the same? ─────────────────────┤
///         └───────────────────────────────────────────────── redraw: the same screen? ◀──┘
final class SoakRun {
  /// Counts of operations and checks.
  struct Figures {
    var operations = 0
    var rests = 0
    var longRests = 0
    var redraws = 0
    var topLines = 0
    var cells = 0
    var bytes = 0
    var fetches = 0
    var maximumKilobytes = 0
  }

  private static let patience = Duration.seconds(120)
  /// Longer than the delay before rows off the screen are measured.
  private static let shortRest = Duration.milliseconds(450)
  /// Longer than a second, to notice a wake-up once a second.
  private static let longRest = Duration.milliseconds(1_200)

  private let plan: SoakPlan
  private let started = ContinuousClock.now
  private var random: SeededGenerator
  private(set) var figures = Figures()
  private var recent: [String] = []
  private var nextProgress = Duration.seconds(60)

  init(_ plan: SoakPlan) {
    self.plan = plan
    random = SeededGenerator(seed: plan.seed)
  }

  /// Runs `plan` and prints the result; returns `false` if a fault was found.
  static func report(_ plan: SoakPlan, seed: UInt64) async -> Bool {
    let run = SoakRun(plan)
    do {
      try await run.run()
      run.print("clean after \(run.progress)")
      return true
    } catch let failure as SoakFailure {
      run.print(
        """
        FAILED: \(failure.what)
        after \(run.progress); again with --pictures \(plan.pictures.rawValue) --seed \(seed)
        \(failure.details)
        the last operations:
          \(run.recent.joined(separator: "\n  "))
        """)
    } catch {
      run.print(
        """
        FAILED: \(error)
        after \(run.progress); again with --pictures \(plan.pictures.rawValue) --seed \(seed)
        the last operations:
          \(run.recent.joined(separator: "\n  "))
        """)
    }
    return false
  }

  private func print(_ text: String) {
    Swift.print("soak \(plan.pictures.rawValue): \(text)")
    fflush(nil)
  }

  var progress: String {
    let figures = figures
    return
      "\(figures.operations) operations, \(figures.rests) rests (\(figures.longRests) of a second "
      + "and more without a wake-up), \(figures.redraws) redraws compared (\(figures.cells) cells), "
      + "\(figures.topLines) first lines, \(figures.bytes) bytes, \(figures.fetches) fetches, "
      + "at most \(figures.maximumKilobytes) kB"
  }

  /// - Throws: `SoakFailure`, `HarnessError`.
  func run() async throws {
    for (index, kind) in plan.sources.enumerated() {
      let share = plan.time / plan.sources.count * (index + 1)
      try await use(kind, until: started + share)
    }
  }

  // MARK: One program

  private func use(_ kind: SoakSourceKind, until end: ContinuousClock.Instant) async throws {
    let home = try TemporaryFolder()
    let server = try SoakServer(seed: random.next())
    defer { server.stop() }
    let url = { (path: String) in server.server.url(path) }
    let seed = random.next()
    let source: any SoakSource =
      switch kind {
      case .lines: try GrowingLines(folder: home, seed: seed, url: url)
      case .feed: try ReplacedFeed(folder: home, seed: seed, url: url)
      case .pages: ServedPages(server: server, seed: seed)
      }
    var user = SoakUser(random: SeededGenerator(seed: random.next()))
    let session = try TerminalSession(
      path: plan.program, arguments: ["--pictures", plan.pictures.rawValue, source.argument],
      environment: ProgramUnderTest.environment(home: home), size: user.size,
      personality: plan.pictures.personality)
    server.release()
    try await session.waitFor("the first post") { !TopLine.words(in: $0.text).isEmpty }
    note("opened \(kind.rawValue)")
    do {
      try await use(session, server, source, &user, until: end)
      try await leave(session)
    } catch {
      try await keepTranscript(of: session)
      throw error
    }
    figures.bytes += await session.byteCount
    figures.fetches += server.server.seen.paths.count
  }

  private func use(
    _ session: TerminalSession, _ server: SoakServer, _ source: any SoakSource,
    _ user: inout SoakUser, until end: ContinuousClock.Instant
  ) async throws {
    var usage = UsageRecord()
    repeat {
      server.hold()
      for _ in 0..<Int.random(in: 1...10, using: &random) {
        try await perform(user.operation(), session)
      }
      try await perform(user.leavingPanels(), session)
      try await rest(session, server, source, &user)
      usage.note(ProcessFigures(session.processID))
      await session.forgetTranscript()
      figures.maximumKilobytes = max(figures.maximumKilobytes, usage.maximumKilobytes)
      reportProgress()
    } while ContinuousClock.now < end || lacksRedraws
    print("\(source.argument): \(usage.text)")
    if let growth = usage.growth { throw SoakFailure(what: growth, details: usage.text) }
  }

  /// A picture that keeps coming disturbs every comparison: that ends after a hundred rests.
  private var lacksRedraws: Bool { figures.redraws < plan.minimumRedraws && figures.rests < 100 }

  /// Writes the transcript; called only after a fault.
  private func keepTranscript(of session: TerminalSession) async throws {
    guard let folder = plan.folder else { return }
    let path = "\(folder)/soak-\(plan.pictures.rawValue).bytes"
    try await Data(session.transcript).write(to: URL(filePath: path))
    print("what the program has sent since the rest before: \(path)")
  }

  private func perform(_ operation: SoakUser.Operation, _ session: TerminalSession) async throws {
    note(operation.name)
    figures.operations += 1
    for step in operation.steps {
      switch step {
      case .send(let text): await session.send(text)
      case .resize(let size): try await session.resize(to: size)
      case .wait(let time): try await session.watch(for: time)
      case .pause:
        _ = try await session.pause(quiet: .milliseconds(120), within: .seconds(5))
      case .stop(let size):
        await session.send(signal: SIGSTOP)
        if let size { try await session.resize(to: size) }
        try await session.watch(for: .milliseconds(20))
        await session.send(signal: SIGCONT)
      }
    }
    // Sometimes there is a pause between two operations.
    if Bool.random(using: &random) {
      try await session.watch(for: .milliseconds(Int.random(in: 0...40, using: &random)))
    }
    if let damage = plan.damage, figures.operations >= damage.afterOperations {
      await session.inject(damage.bytes)
    }
  }

  // MARK: Rests

  private func rest(
    _ session: TerminalSession, _ server: SoakServer, _ source: any SoakSource,
    _ user: inout SoakUser
  ) async throws {
    let isSilent = try await session.pause(quiet: .milliseconds(150), within: .seconds(5))
    let answer = await session.drawnScreen
    let formerLast = source.lastPost
    // Only pages arrive one after another; other sources are complete at once.
    let isSeeking = user.isSeeking && source is ServedPages
    note("the world: \(try source.change(&random))")
    server.release()
    let isLong = figures.rests % 4 == 3
    let asked = try await waitForRest(
      session, server, quiet: isLong ? Self.longRest : Self.shortRest)
    figures.rests += 1
    if isLong { figures.longRests += 1 }
    let rested = await session.drawnScreen
    let rows = Self.listRows(rested.snapshot)
    if isSilent, !isSeeking {
      try compareTops(
        answer.snapshot, rested.snapshot, rows: rows, source: source, formerLast: formerLast)
    }
    try await compareRedraw(session, rested, rows: rows) {
      // A retried picture can arrive at any time.
      server.server.seen.paths.count != asked
    }
    user.rested()
  }

  /// - Returns: the number of requests that the server had seen when the rest began.
  private func waitForRest(
    _ session: TerminalSession, _ server: SoakServer, quiet: Duration
  ) async throws -> Int {
    let deadline = ContinuousClock.now + Self.patience
    var (busy, connected, waiting) = (0, 0, 0)
    var askedWhenStalled: Int?
    repeat {
      let asked = server.server.seen.paths.count
      guard try await session.rest(quiet: quiet, within: min(.seconds(10), deadline - .now)) else {
        busy += 1
        continue
      }
      guard Connections.count(toPort: server.server.port) == 0 else {
        connected += 1
        continue
      }
      let screen = await session.snapshot
      // The status line counts the pictures that are being fetched.
      guard let row = screen.row(containing: "· ↓ ") else {
        guard server.server.seen.paths.count == asked else { continue }
        return asked
      }
      waiting += 1
      guard Connections.count(toPort: server.server.port) == 0 else { continue }
      // A retry that begins after the rest may not have opened its connection yet, or have closed it
      // already; by the next rest the server has seen it.
      guard askedWhenStalled == asked else {
        askedWhenStalled = asked
        continue
      }
      throw SoakFailure(
        what: "nothing is fetched, nothing runs, and pictures are waited for",
        details: "\(screen.line(row))\n\(screen.text)")
    } while ContinuousClock.now < deadline
    throw SoakFailure(
      what: "no rest within \(Self.patience)",
      details: """
        \(busy) times ten seconds of it a thread was at work, \(connected) times connections were open, \
        \(waiting) times pictures were waited for; now \
        \(Connections.count(toPort: server.server.port)) connections are open, the server answers \
        \(server.server.seen.open) requests, switches by thread: \(try await session.switches())
        \(await session.snapshot.text)
        """)
  }

  private func compareTops(
    _ answer: ScreenSnapshot, _ rested: ScreenSnapshot, rows: Range<Int>, source: any SoakSource,
    formerLast: Int
  ) throws {
    guard answer.columns >= 20, answer.rows == rested.rows, answer.columns == rested.columns,
      let top = TopLine(answer, rows: rows), let post = top.post, source.holds(post),
      !TopLine.isEndNear(answer, rows: rows, lastPost: formerLast),
      !TopLine.isEndNear(rested, rows: rows, lastPost: source.lastPost)
    else { return }
    figures.topLines += 1
    if top.stands(in: rested) { return }
    let now = rested.row(containing: top.word).map { "in row \($0)" } ?? "nowhere"
    throw SoakFailure(
      what: "the first line moved by itself: \(top.word) stood in row \(top.row), now \(now)",
      details: "before:\n\(answer.text)\n\nat rest:\n\(rested.text)")
  }

  private func compareRedraw(
    _ session: TerminalSession, _ rested: DrawnScreen, rows: Range<Int>,
    unless isDisturbed: () -> Bool
  ) async throws {
    let violations = await session.inlinePictures.flatMap(\.violations)
    if !violations.isEmpty {
      throw SoakFailure(
        what: "a terminal might refuse a picture",
        details: violations.prefix(20).joined(separator: "\n"))
    }
    let problems = await session.kittyImages.problems(of: rested.snapshot)
    if !problems.isEmpty {
      throw SoakFailure(
        what: "a picture is missing",
        details: problems.prefix(20).joined(separator: "\n") + "\n\(rested.snapshot.text)")
    }
    let count = await session.byteCount
    await session.send(TerminalKey.control("l"))
    let deadline = ContinuousClock.now + Self.patience
    repeat {
      _ = try await session.pause(quiet: .milliseconds(120), within: deadline - .now)
      guard ContinuousClock.now < deadline else {
        throw SoakFailure(what: "Ctrl-L drew nothing", details: rested.snapshot.text)
      }
    } while await session.byteCount == count
    let redrawn = await session.drawnScreen
    if isDisturbed() { return }
    let difference = ScreenDifference(rested, redrawn, rows: rows)
    figures.redraws += 1
    figures.cells += rows.count * rested.snapshot.columns
    guard difference.isEmpty else {
      throw SoakFailure(
        what: "the screen (-) is not what is redrawn (+)", details: "\(difference)")
    }
    if let last = redrawn.pictures.last, last.contains(where: { $0 != nil }) {
      throw SoakFailure(
        what: "a picture stands in the last row, where it would scroll the screen",
        details: redrawn.snapshot.text)
    }
  }

  /// All rows but the status lines.
  private static func listRows(_ screen: ScreenSnapshot) -> Range<Int> {
    let status =
      switch screen.rows {
      case ..<4: 0
      case ..<12: 1
      default: 2
      }
    return 0..<(screen.rows - status)
  }

  // MARK: The end of a program

  private func leave(_ session: TerminalSession) async throws {
    note("q")
    await session.send("q")
    let status = try await session.waitForExit(within: Self.patience)
    guard status == .exited(0) else { throw SoakFailure(what: "after q: \(status)") }
    let screen = await session.snapshot
    let isCooked = try await session.isCooked()
    // The mode that was set last counts: libvterm keeps one saved cursor, including its visibility,
    // for both screens, and leaving the alternate screen restores the one that a sixel saved.
    let showsCursor = screen.modes[25] != false
    guard !screen.isAlternate, showsCursor, isCooked else {
      throw SoakFailure(
        what: "the terminal was not given back: alternate screen \(screen.isAlternate), cursor "
          + "\(showsCursor), cooked \(isCooked)", details: screen.text)
    }
    let images = await session.kittyImages.count
    guard images == 0 else {
      throw SoakFailure(what: "\(images) images were left at the terminal")
    }
  }

  // MARK: The record

  private func note(_ text: String) {
    let milliseconds = (ContinuousClock.now - started) / .milliseconds(1)
    recent.append("\(Int(milliseconds)) ms  \(text)")
    if recent.count > 60 { recent.removeFirst() }
  }

  private func reportProgress() {
    let passed = ContinuousClock.now - started
    guard passed >= nextProgress else { return }
    while nextProgress <= passed { nextProgress += .seconds(60) }
    print("\(Int(passed / .seconds(60))) min: \(progress)")
  }
}

import Testing

/// Thirty posts, every third of which has a picture, for terminals that draw pictures over no-break
/// spaces.
public struct PictureTimeline {
  private let home: TemporaryFolder
  private let server: MisbehavingServer
  public static let size = TerminalSize(columns: 60, rows: 24, cellWidth: 9, cellHeight: 15)

  /// The address of a picture.
  public var picture: String { server.url("/p.png") }

  public init(in home: TemporaryFolder) throws {
    self.home = home
    server = try MisbehavingServer()
    serve(TestPicture.png)
  }

  /// Serves another picture.
  public func serve(_ picture: [UInt8]) {
    server.route("/p.png", MisbehavingServer.Step.response(body: picture))
  }

  public func start(
    _ options: [String] = [], personality: TerminalPersonality,
    environment: [String: String] = [:], size: TerminalSize = size
  ) throws -> TerminalSession {
    let lines = (0..<30).map { row in
      var fields = ["title": "#\(row) harbour", "content_text": "A sentence of post \(row)."]
      if row % 3 == 1 { fields["image"] = picture }
      return TestTimeline.json(fields)
    }
    let path = try home.write(lines.joined(separator: "\n") + "\n", to: "pictures.jsonl")
    return try ProgramUnderTest.start(
      options + [path], home: home, environment: environment, size: size, personality: personality)
  }

  /// Waits until the picture of the second post has been painted.
  @discardableResult public func open(_ session: TerminalSession) async throws -> ScreenSnapshot {
    try await session.settle { $0.contains("post 1 of 30") && $0.contains("\u{A0}\u{A0}\u{A0}") }
  }

  public func hold(_ key: String, times: Int, _ session: TerminalSession) async throws {
    for _ in 0..<times {
      await session.send(key)
      try await session.watch(for: .milliseconds(12))
    }
  }

  /// Each no-break space is covered by the part of a picture that belongs there, and no other cell
  /// is covered.
  public func expectCovered(_ session: TerminalSession, _ when: String) async {
    let (screen, cells) = (await session.snapshot, await session.paintedCells)
    for y in 0..<screen.rows {
      var left: Int?
      for x in 0..<screen.columns {
        let isPicture = screen.cells[y][x].text == "\u{A0}"
        if !isPicture { left = nil } else if left == nil { left = x }
        let column = cells[y][x]?.column
        let expected = left.map { x - $0 }
        #expect(column == expected, "\(when): row \(y), column \(x)")
        guard column == expected else { return }
      }
    }
  }
}

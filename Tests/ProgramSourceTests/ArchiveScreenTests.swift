import TestSupport
import Testing

/// A Mastodon archive opened in the program.
@Suite(.ownThreads) struct ArchiveScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let files: [(String, [UInt8])] = [
    ("media_attachments/files/1/original/tide.png", TestPicture.png),
    (
      "outbox.json",
      Array(
        """
        {"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","orderedItems":[
        {"type":"Create","actor":"https://x.example/users/gauge","object":{"type":"Note",
        "id":"https://x.example/1","content":"<p>high water</p>","attachment":[
        {"type":"Document","mediaType":"image/png","url":"/media_attachments/files/1/original/tide.png"}]}},
        {"type":"Create","actor":"https://x.example/users/gauge","object":{"type":"Note",
        "id":"https://x.example/2","content":"<p>low water</p>","attachment":[
        {"type":"Document","mediaType":"image/png","url":"/media_attachments/gone.png"}]}}]}
        """.utf8)
    ),
    (
      "actor.json",
      Array(
        """
        {"id":"https://x.example/users/gauge","type":"Person","preferredUsername":"gauge",
        "name":"Harbour gauge","icon":{"type":"Image","url":"avatar.png"}}
        """.utf8)
    ),
    ("avatar.png", TestPicture.png),
  ]

  /// Whether there is a picture to the right of the avatars.
  private static func hasAttached(_ screen: ScreenSnapshot) -> Bool {
    screen.cells.contains { row in
      row.dropFirst(10).contains { if case .rgb = $0.background { true } else { false } }
    }
  }

  @Test(arguments: ["archive.tar.gz", "archive.tar", "archive.zip", "unpacked"])
  func picturesShow(name: String) async throws {
    switch name {
    case "archive.tar.gz":
      try home.write(TestArchive.gzip(TestArchive.tar(Self.files)), to: name)
    case "archive.tar": try home.write(TestArchive.tar(Self.files), to: name)
    case "archive.zip": try home.write(TestArchive.zip(Self.files, isDeflated: true), to: name)
    default: for (file, bytes) in Self.files { try home.write(bytes, to: "unpacked/" + file) }
    }
    let session = try ProgramUnderTest.start(
      [home.path + "/" + name], home: home, size: TerminalSize(columns: 80, rows: 40))
    let screen = try await session.settle {
      $0.contains("✕ not in the archive: media_attachments/gone.png") && Self.hasAttached($0)
        && !$0.contains("↓")
    }
    #expect(screen.contains("Harbour gauge @gauge@x.example"))
    #expect(screen.contains("Harbour gauge (@gauge@x.example)"))
    await session.send("r")
    try await session.settle { $0.hasPicture && !$0.contains("reloading") }
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func archivesCanBePiped() async throws {
    let bytes = TestArchive.gzip(TestArchive.tar(Self.files))
    let result = try await ProgramUnderTest.run(["--plain", "-"], input: bytes, home: home)
    #expect(result.status == .exited(0))
    #expect(result.text.contains("Harbour gauge @gauge@x.example"))
    // Printed posts name pictures as the archive does.
    #expect(result.text.contains("media_attachments/files/1/original/tide.png"))
    #expect(!result.text.contains("archive:"))
  }
}

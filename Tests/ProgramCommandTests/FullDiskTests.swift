import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A full file system for the state kept between runs. Mounting it takes root; otherwise the tests
/// are skipped.
@Suite(.ownThreads) struct FullDiskTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let mayMount: Bool = {
    guard let folder = try? TemporaryFolder(), (try? folder.write("", to: "disk/file")) != nil,
      mount("tmpfs", folder.path + "/disk", "tmpfs", 0, "size=64k") == 0
    else { return false }
    return umount(folder.path + "/disk") == 0
  }()

  /// Fills the file system.
  private func fill(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    for size in [4_096, 1] {
      let block = [UInt8](repeating: 7, count: size)
      while write(file, block, size) > 0 {}
    }
    #expect(errno == ENOSPC)
  }

  private func start(_ path: String) throws -> TerminalSession {
    try ProgramUnderTest.start(
      [path], home: home, environment: ["XDG_STATE_HOME": home.path + "/disk"],
      size: TerminalSize(columns: 80, rows: 20))
  }

  private static let reason: Comment = "mounting a file system takes root"

  @Test(.enabled(if: mayMount, reason)) func theOldPlaceStaysAndOneLineSaysSo() async throws {
    try home.write("", to: "disk/file")
    let disk = home.path + "/disk"
    #expect(mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0)
    defer { umount(disk) }
    let path = try home.write(TestTimeline.lines(60), to: "tides.jsonl")
    let first = try start(path)
    try await first.settle { $0.contains("post 1 of 60") }
    await first.send("20G")
    try await first.settle { $0.contains("post 20 of 60") }
    await first.send("q")
    #expect(try await first.waitForExit() == .exited(0))
    let kept = try home.names(in: "disk/tideline/places")
    #expect(kept.count == 1)
    try fill(disk + "/filler")

    let full = try start(path)
    try await full.settle { $0.contains("post 20 of 60") }
    for key in ["30G", "40G", "50G"] {
      await full.send(key)
      try await full.settle { $0.contains("post \(key.dropLast()) of 60") }
      // At rest, the program tries to keep the place.
      try await full.waitUntilIdle(for: TerminalSession.overASecond)
    }
    await full.send("q")
    #expect(try await full.waitForExit() == .exited(0))
    let screen = await full.snapshot
    let told = screen.lines.filter { $0.contains("tideline:") }
    #expect(told.count == 1, "\(screen.text)")
    #expect(told.first?.contains("where you were is not kept: No space left on device") == true)
    #expect(try home.names(in: "disk/tideline/places") == kept)

    #expect(unlink(disk + "/filler") == 0)
    let again = try start(path)
    try await again.settle { $0.contains("post 20 of 60") }
    await again.send("30G")
    try await again.settle { $0.contains("post 30 of 60") }
    await again.send("q")
    #expect(try await again.waitForExit() == .exited(0))
    #expect(await !again.snapshot.contains("tideline:"))
  }

  /// Pictures are shown as without a cache, and the log says once in each run why none is kept.
  @Test(.enabled(if: mayMount, reason)) func picturesAreShownWithAFullDisk() async throws {
    try home.write("", to: "disk/file")
    let disk = home.path + "/disk"
    #expect(mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0)
    defer { umount(disk) }
    try fill(disk + "/filler")
    let server = try MisbehavingServer()
    defer { server.stop() }
    let body = TestPicture.numbered(columns: 8, rows: 4)
    server.answer { path in
      path.hasSuffix(".png")
        ? [.head(length: body.count, fields: [("Cache-Control", "max-age=9999")]), .send(body)]
        : nil
    }
    let posts = (0..<3).map {
      TestTimeline.json(["title": "#\($0)", "image": server.url("/\($0).png")])
    }
    let path = try home.write(posts.joined(separator: "\n") + "\n", to: "pictures.jsonl")
    let log = home.path + "/log"

    func show(_ requests: Int) async throws {
      let session = try ProgramUnderTest.start(
        ["--log-file", log, path], home: home, environment: ["XDG_CACHE_HOME": disk],
        size: TerminalSize(columns: 80, rows: 40))
      try await session.settle { $0.hasPicture && !$0.contains("↓") }
      #expect(server.seen.paths.count == requests)
      await session.send("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
    try await show(3)
    try await show(6)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let told = lines.filter { $0.contains("No space left on device") }
    #expect(told.count == 2, "\(lines)")
    // With free space, pictures are kept again, and the next run requests none.
    #expect(unlink(disk + "/filler") == 0)
    try await show(9)
    try await show(9)
  }

  /// Merged sources need a temporary library and files, of which each may find no room.
  @Test(.enabled(if: mayMount, reason), arguments: [0, 30, 60, 100, 160, 220])
  func mergedSourcesWithoutRoomAreAnError(free: Int) async throws {
    try home.write("", to: "disk/file")
    let disk = home.path + "/disk"
    #expect(mount("tmpfs", disk, "tmpfs", 0, "size=512k") == 0)
    defer { umount(disk) }
    try fill(disk + "/full")
    let size = try FileManager.default.attributesOfItem(atPath: disk + "/full")[.size] as? Int ?? 0
    #expect(truncate(disk + "/full", size - free << 10) == 0)
    let paths = try (1...2).map { try home.write(TestTimeline.lines(3_000), to: "\($0).jsonl") }
    let result = try await ProgramUnderTest.run(
      ["--plain"] + paths, home: home, environment: ["TMPDIR": disk])
    let isWhole = result.status == .exited(0)
    #expect(isWhole == result.errorText.isEmpty)
    guard !isWhole else { return }
    #expect(result.status == .exited(74), "\(result.errorText)")
    #expect(!result.errorText.contains(": : "), "\(result.errorText)")
  }
}

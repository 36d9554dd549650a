import Feeds
import Glibc
import System
import TestSupport
import Testing

@testable import TimelineStore

/// Files that are moved, cut, copied over and created again while they are shown, and whose path
/// comes to lead to another file: lines written after that are shown, as with `tail -F`.
@MainActor @Suite(.ownThreads) struct RotationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The changes of `log`; the last one leaves the lines "new 1" and "new 2" in it.
  enum Way: String, CaseIterable, Sendable {
    case movedAndMadeAnewEmpty, movedAndMadeAnewWhole, copiedOver, copiedOverLonger
    case copiedOverAsLong, replacedByRename, cut, cutAndWrittenWhole, cutByAWriterThatKeepsItsPlace
    case deletedAndMadeLater, folderMoved, folderDeleted, linkTurned, linkOfALinkTurned
  }

  private static let old = "old 1\n\nold 2\n\nold 3\n"
  private static let first = "new 1\n\n"
  private static let second = "new 2\n"

  private var path: String { folder.path + "/logs/log" }

  private func put(
    _ text: String, _ name: String = "logs/log", _ flags: Int32 = O_CREAT | O_APPEND
  ) throws {
    let descriptor = openFile(folder.path + "/" + name, O_WRONLY | flags)
    try #require(descriptor >= 0)
    let written = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    #expect(written == text.utf8.count)
  }

  private func move(_ name: String, to other: String) {
    #expect(rename(folder.path + "/" + name, folder.path + "/" + other) == 0)
  }

  private func link(_ target: String, _ name: String) {
    #expect(symlink(target, folder.path + "/" + name + ".new") == 0)
    move(name + ".new", to: name)
  }

  private func prepare(_ way: Way) throws {
    try folder.makeFolder("logs")
    switch way {
    case .linkTurned:
      try put(Self.old, "logs/log.1")
      link("log.1", "logs/log")
    case .linkOfALinkTurned:
      try folder.makeFolder("logs/a")
      try put(Self.old, "logs/a/log")
      link("a", "logs/current")
      link("current/log", "logs/log")
    default: try put(Self.old)
    }
  }

  /// - Parameter settled: waits until the change was noticed.
  private func happen(_ way: Way, settled: () async -> Void) async throws {
    switch way {
    case .movedAndMadeAnewEmpty:
      move("logs/log", to: "logs/log.1")
      try put("")
      await settled()
      try put(Self.first)
    case .movedAndMadeAnewWhole:
      move("logs/log", to: "logs/log.1")
      try put(Self.first)
    case .copiedOver: try put(Self.first, "logs/log", O_TRUNC)
    case .copiedOverLonger:
      try put("new 1\n\n" + String(repeating: "x\n\n", count: 100), "logs/log", O_TRUNC)
    case .copiedOverAsLong: try put("new 1\n\nnew x\n\nnew yyyy\n\n", "logs/log", O_TRUNC)
    case .replacedByRename:
      try put(Self.first, "logs/other")
      move("logs/other", to: "logs/log")
    case .cut:
      #expect(truncate(path, 0) == 0)
      await settled()
      try put(Self.first)
    case .cutAndWrittenWhole:
      try put(Self.first + String(repeating: "x\n\n", count: 200), "logs/log", O_TRUNC)
    case .cutByAWriterThatKeepsItsPlace:
      #expect(truncate(path, 0) == 0)
      let descriptor = openFile(path, O_WRONLY)
      defer { close(descriptor) }
      let bytes = Array(Self.first.utf8)
      #expect(bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 1 << 20) } > 0)
    case .deletedAndMadeLater:
      unlink(path)
      await settled()
      try put("")
      try put(Self.first)
    case .folderMoved:
      move("logs", to: "logs.1")
      try folder.makeFolder("logs")
      try put(Self.first)
    case .folderDeleted:
      unlink(path)
      rmdir(folder.path + "/logs")
      await settled()
      try folder.makeFolder("logs")
      try put(Self.first)
    case .linkTurned:
      try put(Self.first, "logs/log.2")
      link("log.2", "logs/log")
    case .linkOfALinkTurned:
      try folder.makeFolder("logs/b")
      try put(Self.first, "logs/b/log")
      link("b", "logs/current")
    }
  }

  private func texts(_ store: TimelineStore) -> [String] {
    (0..<store.count).map { store.post(at: $0).body.plainText }
  }

  @Test(arguments: Way.allCases) func newLinesAreShown(_ way: Way) async throws {
    try prepare(way)
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try await store.open()
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    store.onChange = { _ in continuation.yield() }
    func wait(_ isDone: () -> Bool) async {
      if isDone() { return }
      for await _ in changes where isDone() { break }
    }
    store.start()
    await wait { store.count == 3 && store.isComplete }
    // The watch exists once a written line is shown.
    try put("\n4\n")
    await wait { store.count == 4 }
    try await happen(way) { await wait { store.message != nil } }
    try put(Self.second)
    await wait { texts(store).contains("new 1") && texts(store).last == "new 2" }
    #expect(!texts(store).contains { $0.hasPrefix("old") })
    await wait { store.message == nil }
    // Later lines are shown as well.
    try put("\nnew 3\n")
    await wait { texts(store).last == "new 3" }
    store.stop()
  }

  /// If the remaining bytes of a file are unchanged, no post that was read is lost.
  @Test func aCutFileKeepsItsPosts() async throws {
    try prepare(.cut)
    let store = TimelineStore(
      source: try SourceReader(source: .file(path), format: nil, transport: nil))
    try await store.open()
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    store.onChange = { _ in continuation.yield() }
    store.start()
    #expect(truncate(path, 7) == 0)
    for await _ in changes where store.message != nil { break }
    let message = try #require(store.message?.text)
    #expect(message.contains("was cut to 7 bytes"))
    #expect(store.count == 3)
    store.stop()
  }

  /// Other names in the folder cause no notification.
  @Test func otherFilesAreNotReported() async throws {
    try folder.makeFolder("logs")
    try put("one\n")
    let (changes, continuation) = AsyncStream.makeStream(of: Int32.self)
    let file = openFile(path, O_RDONLY)
    defer { close(file) }
    var status = stat()
    let watch = try #require(
      FileWatch(path: path, file: folder) {
        var now = stat()
        fstat(file, &now)
        continuation.yield(Int32(now.st_size))
      })
    defer { watch.cancel() }
    try put("other\n", "logs/other")
    move("logs/other", to: "logs/third")
    unlink(folder.path + "/logs/third")
    #expect(fstat(file, &status) == 0)
    try put("two\n")
    var iterator = changes.makeAsyncIterator()
    // The first notification is about the file.
    #expect(await iterator.next() == 8)
  }

  @Test func aShorterFileIsComparedInPart() throws {
    var bytes = (0..<90_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let path = try folder.write(bytes, to: "file")
    let file = try FileBytes(path: path)
    let sample = try FileFingerprint(of: file, end: bytes.count)
    for size in [0, 1, 500, 40_000, 89_999] {
      #expect(truncate(path, off_t(bytes.count)) == 0)
      try folder.write(bytes.prefix(size), to: "cut")
      let cut = try FileBytes(path: folder.path + "/cut")
      #expect(try !sample.differs(from: cut, size: size), "\(size)")
      guard size > 0 else { continue }
      bytes[0] ^= 1
      try folder.write(bytes.prefix(size), to: "cut")
      #expect(try sample.differs(from: FileBytes(path: folder.path + "/cut"), size: size))
      bytes[0] ^= 1
    }
  }
}

// Inside the type its methods of the same name hide the system's function.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }

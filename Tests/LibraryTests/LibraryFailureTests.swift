import FoundationEssentials
import System
import TestSupport
import Testing

@testable import Library

/// Files that are damaged, foreign, locked or gone.
@Suite(.timeLimit(.minutes(5))) struct LibraryFailureTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/data/library.db" }

  init() throws { folder = try TemporaryFolder() }

  /// A library with one feed and some items, all in its file.
  private func makeLibrary(items: Int = 20) throws {
    let library = try FeedLibrary(path: path)
    let feed = try library.follow("http://x/a", at: 1).id
    _ = try library.recordFetch(
      FetchRecord((0..<items).map { NewItem("\($0)", published: Double(-$0)) }), of: feed, at: 1)
    _ = try library.mark(ItemRanges([ItemID(1), ItemID(3)]), as: .read, at: 2)
  }

  private func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func failure(_ isReadOnly: Bool = false) -> LibraryError.Cause? {
    #expect(throws: LibraryError.self) {
      _ = try FeedLibrary(path: path, isReadOnly: isReadOnly)
    }?.cause
  }

  @Test func theFileIsForTheUserAlone() throws {
    let library = try FeedLibrary(path: path)
    _ = try library.follow("http://x/a", at: 1)
    #expect(mode(of: folder.path + "/data") == 0o700)
    for suffix in ["", "-wal", "-shm"] { #expect(mode(of: path + suffix) == 0o600) }
  }

  /// The log goes into the file, also beside a reader, unless that one is in the middle of reading.
  @Test func theLogIsEmptied() throws {
    let library = try FeedLibrary(path: path)
    let feed = try library.follow("http://x/a", at: 1).id
    let items = (0..<500).map { NewItem("\($0)", published: Double(-$0)) }
    _ = try library.recordFetch(FetchRecord(items), of: feed, at: 1)
    let reader = try FeedLibrary(path: path, isReadOnly: true)
    func logSize() -> Int? { FileStamp(path: path + "-wal")?.size }
    #expect(try reader.guids().count == 500 && logSize() ?? 0 > 4_096)
    do {
      let other = try SQLiteConnection(path: path, file: path, access: .readOnly, patience: 0)
      try other.execute("BEGIN")
      #expect(try other.number("SELECT count(*) FROM item") == 500)
      try library.emptyLog()
    }
    #expect(logSize() ?? 0 > 4_096)
    try library.emptyLog()
    #expect(logSize() == 0)
    #expect(try reader.guids().count == 500)
    _ = try library.mark(ItemRanges([ItemID(1)]), as: .read, at: 2)
    #expect(try reader.unreadItems().count == 499)
    try FeedLibrary(path: "").emptyLog()
  }

  @Test func aTemporaryLibraryHasNoName() throws {
    let library = try FeedLibrary(path: "")
    let feed = try library.follow("http://x/a", at: 1).id
    _ = try library.recordFetch(FetchRecord([NewItem("1")]), of: feed, at: 1)
    #expect(library.isTemporary && !library.takeOtherChanges())
    #expect(try library.guids() == ["1"])
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let targets = files.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(targets.contains { $0.hasSuffix("/library.db (deleted)") })
  }

  @Test func anEmptyFileBecomesALibrary() throws {
    try folder.write("", to: "data/library.db")
    try makeLibrary()
    #expect(try FeedLibrary(path: path).guids().count == 20)
  }

  @Test func otherFilesAreRefusedAndNotTouched() throws {
    try folder.write(
      "a text that is no library, and is as long as it has to be", to: "data/library.db")
    let bytes = try PackageFiles.bytes(at: path)
    #expect(failure() == .notALibrary)
    #expect(failure(true) == .notALibrary)
    #expect(try PackageFiles.bytes(at: path) == bytes)
    #expect(try folder.names(in: "data") == ["library.db"])
  }

  @Test func databasesOfOtherProgramsAreRefused() throws {
    try folder.write("", to: "data/library.db")
    do {
      let other = try SQLiteConnection(path: path, file: path, access: .readWrite, patience: 0)
      try other.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
    }
    let bytes = try PackageFiles.bytes(at: path)
    #expect(failure() == .notALibrary)
    #expect(try PackageFiles.bytes(at: path) == bytes)
  }

  @Test func foldersAndMissingFilesAreRefused() throws {
    #expect(failure(true) == .system(code: ENOENT))
    try folder.makeFolder("data/library.db")
    #expect(failure() == .notAFile)
    let below = #expect(throws: LibraryError.self) {
      _ = try FeedLibrary(path: "/dev/null/library.db")
    }
    #expect(below?.cause == .system(code: ENOTDIR))
    let device = #expect(throws: LibraryError.self) { _ = try FeedLibrary(path: "/dev/null") }
    #expect(device?.cause == .notAFile)
  }

  // MARK: Versions

  private let next = LibrarySchema(
    scripts: LibrarySchema.current.scripts + ["CREATE TABLE later (id INTEGER PRIMARY KEY)"])

  private func open(_ schema: LibrarySchema, isReadOnly: Bool = false) throws -> FeedLibrary {
    try FeedLibrary(path: path, isReadOnly: isReadOnly, keepDays: nil, schema: schema)
  }

  @Test func anOlderFileIsCopiedAndMigrated() throws {
    try makeLibrary()
    let readOnly = #expect(throws: LibraryError.self) { _ = try open(next, isReadOnly: true) }
    #expect(readOnly?.cause == .older(version: 1))
    let library = try open(next)
    #expect(try library.guids().count == 20)
    #expect(try library.unreadItems().count == 18)
    let copy = path + ".v1"
    #expect(mode(of: copy) == 0o600)
    #expect(try FeedLibrary(path: copy).guids().count == 20)
    #expect(try open(next).guids().count == 20)
  }

  @Test func aLaterFileIsRefusedAndNotTouched() throws {
    try makeLibrary()
    _ = try open(next)
    let bytes = try PackageFiles.bytes(at: path)
    #expect(failure() == .newer(version: 2, known: 1))
    #expect(failure(true) == .newer(version: 2, known: 1))
    #expect(try PackageFiles.bytes(at: path) == bytes)
  }

  @Test func aMigrationThatFailsChangesNothing() throws {
    try makeLibrary()
    let wrong = LibrarySchema(
      scripts: LibrarySchema.current.scripts + ["DELETE FROM item; CREATE TABLE item (id)"])
    #expect(throws: LibraryError.self) { _ = try open(wrong) }
    let library = try FeedLibrary(path: path)
    #expect(try library.guids().count == 20)
    #expect(try library.brokenInvariants() == [])
  }

  // MARK: Locks and other programs

  /// A connection of another program.
  private func otherProgram() throws -> SQLiteConnection {
    try SQLiteConnection(path: path, file: path, access: .readWrite, patience: 0)
  }

  @Test func readersDoNotWaitForAWriter() throws {
    try makeLibrary()
    let library = try FeedLibrary(path: path)
    let other = try otherProgram()
    try other.begin()
    try other.run("DELETE FROM unread")
    #expect(try library.newestPlaces(100).count == 20)
    #expect(try library.entry(of: ItemID(1)) != nil)
    #expect(try library.unreadItems().count == 18)
    other.rollBack()
  }

  /// A document that holds what the last one held touches the feed's row alone: triggers refuse all
  /// else.
  @Test func anUnchangedDocumentWritesNoItem() throws {
    try makeLibrary()
    let library = try FeedLibrary(path: path)
    let other = try otherProgram()
    for table in ["item", "body", "unread", "saved", "state", "marking"] {
      for change in ["INSERT", "UPDATE", "DELETE"] {
        try other.execute(
          """
          CREATE TRIGGER \(table)_\(change) BEFORE \(change) ON \(table)
          BEGIN SELECT RAISE(ABORT, '\(change) of \(table)'); END
          """)
      }
    }
    let feed = try #require(try library.feeds().first?.id)
    let items = (0..<20).map { NewItem("\($0)", published: Double(-$0)) }
    let again = try library.recordFetch(FetchRecord(items, nextTime: 7), of: feed, at: 5)
    #expect(again.isEmpty)
    #expect(try library.feed(feed)?.schedule.nextTime == 7)
    let notModified = FetchRecord(.notModified, nextTime: 9)
    #expect(try library.recordFetch(notModified, of: feed, at: 6).isEmpty)
    // They would have refused a new item.
    #expect(throws: LibraryError.self) {
      _ = try library.recordFetch(FetchRecord(items + [NewItem("20")]), of: feed, at: 8)
    }
  }

  @Test func changesOfOtherProgramsAreNoticed() throws {
    try makeLibrary()
    let (library, other) = (try FeedLibrary(path: path), try FeedLibrary(path: path))
    #expect(!library.takeOtherChanges())
    _ = try other.mark(ItemRanges([ItemID(2)]), as: .read, at: 1)
    #expect(library.takeOtherChanges())
    #expect(!library.takeOtherChanges())
    // Not its own, and not those before it writes itself for the first time.
    _ = try other.mark(ItemRanges([ItemID(4)]), as: .read, at: 1)
    _ = try library.mark(ItemRanges([ItemID(5)]), as: .read, at: 1)
    #expect(library.takeOtherChanges())
    _ = try library.mark(ItemRanges([ItemID(6)]), as: .read, at: 1)
    #expect(!library.takeOtherChanges())
    _ = try other.mark(ItemRanges([ItemID(7)]), as: .read, at: 1)
    #expect(library.takeOtherChanges())
    #expect(!library.takeOtherChanges())
  }

  // MARK: Without writing

  @Test func aLibraryIsReadWithoutWriting() throws {
    try makeLibrary()
    let before = try PackageFiles.bytes(at: path)
    let library = try FeedLibrary(path: path, isReadOnly: true)
    #expect(try library.guids().count == 20)
    #expect(try library.unreadItems().count == 18)
    let error = #expect(throws: LibraryError.self) {
      _ = try library.mark(ItemRanges([ItemID(2)]), as: .read, at: 1)
    }
    #expect(error?.cause == .readOnly)
    #expect(try PackageFiles.bytes(at: path) == before)
    let other = try FeedLibrary(path: path)
    _ = try other.mark(ItemRanges([ItemID(2)]), as: .read, at: 1)
    #expect(library.takeOtherChanges())
    #expect(try library.unreadItems().count == 17)
  }

  @Test func aFileBesideWhichNothingCanBeWrittenIsRead() throws {
    try makeLibrary()
    let connection = try SQLiteConnection(
      path: path, file: path, access: .immutable, patience: 0)
    #expect(try connection.number("SELECT count(*) FROM item") == 20)
    #expect(throws: LibraryError.self) { try connection.run("DELETE FROM item") }
  }

  /// A link stands where a file beside the library's own has to be made; SQLite follows none.
  @Test func anObstacleToWritingIsNamed() throws {
    try makeLibrary()
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: folder.path + "/none")
    let library = try FeedLibrary(path: path)
    #expect(try library.unreadItems().count == 18)
    #expect(library.isReadOnly && library.obstacle?.cause == .readOnly)
    let error = #expect(throws: LibraryError.self) {
      _ = try library.mark(ItemRanges([ItemID(2)]), as: .read, at: 1)
    }
    #expect(error == library.obstacle)
    // Who wants to write nothing has no obstacle.
    let reader = try FeedLibrary(path: path, isReadOnly: true)
    #expect(reader.isReadOnly && reader.obstacle == nil)
  }

  /// A log that a crash left cannot be read if no file can be made beside it.
  @Test func aLogThatCannotBeReadIsNamed() throws {
    try makeLibrary()
    try folder.write(String(repeating: "x", count: 100), to: "data/library.db-wal")
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: folder.path + "/none")
    #expect(failure() == .unclosed)
    #expect(failure(true) == .unclosed)
  }

  @Test func aFileThatMayNotBeReadIsNamed() throws {
    let error = LibraryError(.unreadable(code: EACCES), file: "/a/library.db")
    #expect(error.description == "library.db: cannot be read: Permission denied")
    guard getuid() != 0 else { return }
    try makeLibrary()
    chmod(path, 0)
    #expect(failure() == .unreadable(code: EACCES))
    #expect(failure(true) == .unreadable(code: EACCES))
  }

  @Test(arguments: [EMFILE, ENFILE]) func tooManyOpenFilesAreNamed(system: Int32) {
    let cause = LibraryError.Cause(code: 14, extended: 14, system: system, "unable to open")
    #expect(cause == .system(code: system))
  }

  /// The files beside the library's own cannot be made when the disk is full: `SQLITE_IOERR` and
  /// `SQLITE_CANTOPEN`.
  @Test(arguments: [Int32(10), 14], [ENOSPC, EDQUOT])
  func aFullDiskIsNamed(code: Int32, system: Int32) {
    let cause = LibraryError.Cause(code: code, extended: code, system: system, "disk I/O error")
    #expect(cause == .full)
    let other = LibraryError.Cause(code: code, extended: code, system: EIO, "disk I/O error")
    #expect(other == .other(code: code, "disk I/O error"))
  }

  @Test func namesOfFilesAreTakenLiterally() throws {
    let names = ["a b?mode=memory#c%41", "ä&\"'", ":memory:", "file:x"]
    for name in names {
      let path = folder.path + "/" + name
      _ = try FeedLibrary(path: path).follow("http://x/a", at: 1)
      let connection = try SQLiteConnection(
        path: path, file: path, access: .immutable, patience: 0)
      #expect(try connection.number("SELECT count(*) FROM feed") == 1, "\(name)")
    }
    #expect(Set(names).isSubset(of: try folder.names(in: "")))
  }

  // MARK: Damage

  /// Reads and writes everything; the errors.
  private func readAll(_ library: FeedLibrary) -> [any Error] {
    let uses: [() throws -> Void] = [
      { _ = try library.newestPlaces(100) }, { _ = try library.feeds() },
      { _ = try library.unreadItems() }, { _ = try library.lines() },
      { _ = try library.mark(ItemRanges([ItemID(2)]), as: .read, at: 1) },
      {
        _ = try library.recordFetch(FetchRecord([NewItem("new")]), of: FeedID(1), at: 3)
      },
      {
        let broken = try library.brokenInvariants()
        if !broken.isEmpty { throw LibraryError(.damaged(broken[0]), file: "") }
      },
    ]
    return uses.compactMap { use in
      do {
        try use()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func damageAnywhereIsAnError() throws {
    try makeLibrary(items: 200)
    let whole = try PackageFiles.bytes(at: path)
    let page = 4096
    #expect(whole.count > 10 * page)
    var found = 0
    for start in stride(from: 0, to: whole.count, by: page) {
      var bytes = whole
      for offset in start..<min(start + page, bytes.count) { bytes[offset] = UInt8(offset % 251) }
      try Data(bytes).write(to: URL(filePath: path))
      unlink(path + "-wal")
      unlink(path + "-shm")
      do throws(LibraryError) {
        found += readAll(try FeedLibrary(path: path)).isEmpty ? 0 : 1
      } catch {
        found += 1
        #expect(!error.description.isEmpty)
      }
    }
    // Free pages hold nothing.
    #expect(found > 10)
  }

  @Test func truncationAnywhereIsAnError() throws {
    try makeLibrary(items: 200)
    let whole = try PackageFiles.bytes(at: path)
    for count in stride(from: 1, to: whole.count, by: 3_001) {
      try Data(whole[..<count]).write(to: URL(filePath: path))
      unlink(path + "-wal")
      unlink(path + "-shm")
      do throws(LibraryError) {
        let errors = readAll(try FeedLibrary(path: path))
        #expect(!errors.isEmpty, "\(count) bytes")
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func aFileThatShrinksWhileItIsOpenIsAnError() throws {
    try makeLibrary(items: 2_000)
    let library = try FeedLibrary(path: path)
    #expect(try library.newestPlaces(1).count == 1)
    truncate(path, 4096)
    #expect(throws: LibraryError.self) { _ = try library.lines() }
  }

  @Test func errorsNameTheFileAndTheCause() {
    let error = LibraryError(.newer(version: 3, known: 1), file: "/home/a/library.db")
    #expect(
      error.description
        == "library.db: was written by a later tideline (version 3, known up to 1)")
    #expect(LibraryError(.locked, file: "").description.hasPrefix("the temporary library"))
  }
}

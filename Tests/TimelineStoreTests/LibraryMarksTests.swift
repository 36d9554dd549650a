import FoundationEssentials
import System
import TestSupport
import Testing

@testable import Library
@testable import TimelineStore

/// The marks of a library, and how their changes are written.
@MainActor @Suite(.timeLimit(.minutes(5))) struct LibraryMarksTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/data/library.db" }

  /// A library with one feed and 20 items, of which two are read.
  init() throws {
    folder = try TemporaryFolder()
    let library = try FeedLibrary(path: path)
    let feed = try library.follow("http://x/a", at: 1).id
    let items = (0..<20).map { number in
      NewItem(
        guid: "\(number)", link: nil, title: "", published: Double(-number), body: .line([0x7B]))
    }
    _ = try library.recordFetch(
      FetchRecord(.document(title: "", items: items), nextTime: 0), of: feed, at: 1)
    _ = try library.mark(ItemRanges([ItemID(1), ItemID(3)]), as: .read, at: 2)
  }

  /// The marks of a library that waits for no lock.
  private func marks() throws -> (LibraryMarks, FeedLibrary) {
    let library = try FeedLibrary(path: path, schema: .current, patience: 0)
    let marks = LibraryMarks(of: library)
    marks.adopt(try MarkSnapshot(of: library, latestItem: nil))
    return (marks, library)
  }

  private func otherProgram() throws -> SQLiteConnection {
    try SQLiteConnection(path: path, file: path, access: .readWrite, patience: 0)
  }

  private func finish(_ marks: LibraryMarks) async -> LibraryError.Cause? {
    do throws(LibraryError) {
      try await marks.finish()
      return nil
    } catch {
      return error.cause
    }
  }

  private func unread(in library: FeedLibrary) throws -> Int { try library.unreadItems().count }

  @Test func changesThatALockHoldsUpAreWrittenLater() async throws {
    let (marks, library) = try marks()
    let other = try otherProgram()
    try other.begin()
    #expect(marks.mark([ItemID(2)], as: .read) == 1)
    #expect(await finish(marks) == .locked)
    #expect(marks.waitingCount == 1 && marks.failure?.cause == .locked)
    #expect(marks.held.unread.count == 17)
    #expect(try library.newestPlaces(100).count == 20)
    other.rollBack()
    marks.retry()
    #expect(await finish(marks) == nil)
    #expect(marks.waitingCount == 0 && marks.failure == nil)
    #expect(try unread(in: library) == 17)
  }

  /// Changes that come during an attempt make one further attempt, not one each.
  @Test func manyChangesDuringALockMakeOneAttempt() async throws {
    let (marks, library) = try marks()
    let other = try otherProgram()
    try other.begin()
    var failures = 0
    marks.onChange = { failures += marks.failure == nil ? 0 : 1 }
    _ = marks.mark([ItemID(2)], as: .read)
    // The attempt has begun; its result comes when this test waits.
    for item in 4...9 { _ = marks.mark([ItemID(Int64(item))], as: .read) }
    #expect(failures == 0)
    await eventually { failures == 2 }
    #expect(marks.waitingCount == 7)
    #expect(await finish(marks) == .locked)
    #expect(failures == 3)
    other.rollBack()
    #expect(await finish(marks) == nil)
    #expect(try unread(in: library) == 11)
  }

  /// An undo that could not be written is not done later; marks are.
  @Test func anUndoThatALockHoldsUpIsDropped() async throws {
    let (marks, library) = try marks()
    let other = try otherProgram()
    try other.begin()
    let error = await #expect(throws: LibraryError.self) { try await marks.undo() }
    #expect(error?.cause == .locked && marks.failure == nil)
    #expect(await finish(marks) == nil)
    _ = marks.mark([ItemID(2)], as: .read)
    await #expect(throws: LibraryError.self) { try await marks.undo() }
    #expect(await finish(marks) == .locked && marks.waitingCount == 1)
    other.rollBack()
    #expect(await finish(marks) == nil)
    #expect(try unread(in: library) == 17 && marks.held.unread.count == 17)
  }

  @Test func aFileThatVanishedIsNotWritten() async throws {
    let (marks, library) = try marks()
    _ = marks.mark([ItemID(2)], as: .read)
    #expect(await finish(marks) == nil)
    let aside = path + ".aside"
    rename(path, aside)
    _ = marks.mark([ItemID(4)], as: .read)
    _ = marks.mark([ItemID(5)], as: .saved)
    #expect(await finish(marks) == .vanished && marks.waitingCount == 2)
    // What is there can still be read.
    #expect(try library.newestPlaces(100).count == 20)
    // Another file in its place is not written either.
    try folder.write("other", to: "data/library.db")
    #expect(await finish(marks) == .vanished && marks.waitingCount == 2)
    #expect(try PackageFiles.bytes(at: path) == Array("other".utf8))
    rename(aside, path)
    #expect(await finish(marks) == nil)
    let reopened = try FeedLibrary(path: path)
    #expect(try unread(in: reopened) == 16)
    #expect(try reopened.savedItems().contains(ItemID(5)))
  }

  @Test func changesAreWrittenInTheirOrder() async throws {
    let (marks, library) = try marks()
    let undone = try await marks.undo()
    #expect(undone?.mark == .read && undone?.items == ItemRanges([ItemID(1), ItemID(3)]))
    #expect(marks.held.unread.count == 20)
    #expect(try await marks.undo() == nil)
    marks.recordVisit(of: "all", upTo: ItemID(20))
    #expect(await finish(marks) == nil)
    #expect(try library.visit(of: "all")?.latestItem == ItemID(20))
  }
}

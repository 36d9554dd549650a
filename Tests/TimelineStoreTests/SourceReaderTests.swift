import Feeds
import FoundationEssentials
import TestSupport
import Testing
import TimelineStore

@Suite struct SourceReaderTests {
  private func posts(of bytes: [UInt8], format: FeedFormat? = nil) async throws -> [Post] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/timeline"
    try Data(bytes).write(to: URL(filePath: path))
    let reader = try SourceReader(source: .file(path), format: format, transport: nil)
    var posts: [Post] = []
    while let batch = try await reader.next() { posts += batch.posts }
    return posts
  }

  private func failure(of path: String) async throws -> SourceError? {
    do throws(SourceError) {
      let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
      while try await reader.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  @Test func aFileOfManyLinesIsReadWholeAndInOrder() async throws {
    let lines = (0..<30_000).map { "{\"id\":\"\($0)\",\"content_text\":\"post number \($0)\"}\n" }
    let read = try await posts(of: Array(lines.joined().utf8))
    let numbers: [String] = (0..<30_000).map { "\($0)" }
    #expect(read.map(\.id) == numbers)
  }

  @Test func theFirstBatchOfALargeFileIsSmall() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/many.jsonl"
    let line = "{\"content_text\":\"tide\"}\n"
    try Data(String(repeating: line, count: 400_000).utf8).write(to: URL(filePath: path))
    let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
    let first = try #require(try await reader.next())
    #expect((1...5_000).contains(first.posts.count))
  }

  @Test func fileErrorsAreDistinguished() async throws {
    let folder = try TemporaryFolder()
    let empty = folder.path + "/empty"
    try Data().write(to: URL(filePath: empty))
    let missing = try #require(try await failure(of: folder.path + "/nothing"))
    #expect(missing.exitStatus == 66)
    #expect(missing.message == "\(folder.path)/nothing: no such file")
    let directory = try #require(try await failure(of: folder.path))
    #expect(directory.exitStatus == 66)
    #expect(directory.message.contains(": is a directory; name files in it, as "))
    let nothing = try #require(try await failure(of: empty))
    #expect(nothing.exitStatus == 65)
  }

  @Test func aNameWithControlCharactersCannotReachTheTerminal() async throws {
    let error = try #require(try await failure(of: "/nowhere/\u{1B}[31m\nname"))
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 })
  }
}

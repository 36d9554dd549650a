import Feeds
import FoundationEssentials
import TestSupport
import Testing

@testable import TimelineStore

/// Files that contain other files, or text in another encoding.
@Suite struct FileUnpackerTests {
  private static let outbox = """
    {"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","orderedItems":[
    {"type":"Create","actor":"https://x.example/users/gauge","object":{"type":"Note",
    "id":"https://x.example/1","content":"<p>high water</p>"}}]}
    """

  private func posts(_ bytes: [UInt8]) async throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/packed"
    try Data(bytes).write(to: URL(filePath: path))
    var found: [[String]] = []
    for isUnread in [false, true] {
      let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
      var posts: [Post] = []
      if isUnread {
        while let batch = try await reader.nextUnparsed() { posts += batch.read() }
      } else {
        while let batch = try await reader.next() { posts += batch.posts }
      }
      found.append(posts.map { $0.title.isEmpty ? $0.body.plainText : $0.title.plainText })
    }
    #expect(found[0] == found[1])
    return found[0]
  }

  private static let files: [(String, [UInt8])] = [
    ("media_attachments/files/1.jpg", Array(repeating: 0xFF, count: 3_000)),
    ("actor.json", Array("{}".utf8)), ("outbox.json", Array(outbox.utf8)),
    ("likes.json", Array("{}".utf8)),
  ]

  @Test func archivesYieldPosts() async throws {
    #expect(try await posts(TestArchive.tar(Self.files)) == ["high water"])
    // The size of the first file in binary, as GNU writes it for large ones.
    var binary = TestArchive.tar(Self.files)
    binary.replaceSubrange(124..<136, with: [0x80] + [UInt8](repeating: 0, count: 11))
    let size = withUnsafeBytes(of: Self.files[0].1.count.bigEndian, Array.init)
    binary.replaceSubrange(128..<136, with: size)
    #expect(try await posts(binary) == ["high water"])
    #expect(try await posts(TestArchive.zip(Self.files)) == ["high water"])
  }

  @Test func anArchiveWithoutPostsIsNoTimeline() async throws {
    let others = Self.files.filter { $0.0 != "outbox.json" }
    for archive in [TestArchive.tar(others), TestArchive.zip(others)] {
      let error = await #expect(throws: SourceError.self) { _ = try await posts(archive) }
      #expect(error?.message.hasSuffix("without an outbox.json, the posts of Mastodon's") == true)
      #expect(error?.exitStatus == 65)
    }
  }

  /// A truncated archive causes an error or marked posts.
  @Test func cutArchives() throws {
    for bytes in [TestArchive.tar(Self.files), TestArchive.zip(Self.files)] {
      let folder = try TemporaryFolder()
      for end in stride(from: 1, to: bytes.count, by: 97) {
        let path = folder.path + "/cut"
        try Data(bytes[..<end]).write(to: URL(filePath: path))
        _ = ZipFile.posts(in: try FileBytes(path: path))
      }
      var reader = TarReader()
      for byte in bytes { _ = reader.read([byte]) { _ in true } }
    }
    var lying = TestArchive.tar(Self.files)
    lying.replaceSubrange(124..<136, with: Array("777777777777".utf8))
    var reader = TarReader()
    var hasPosts = false
    _ = reader.read(lying) {
      if case .file(let path, _) = $0, ArchivePath.posts(path) != nil { hasPosts = true }
      return true
    }
    #expect(!hasPosts)
  }

  @Test func utf16IsConvertedWhileReading() async throws {
    let items = (0..<3_000).map { "<item><guid>\($0)</guid><title>潮 \($0)</title></item>" }
    let feed =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><rss><channel>\(items.joined())</channel></rss>"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in feed.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
    let found = try await posts(bytes)
    #expect(found.count == 3_000)
    #expect(found.last == "潮 2999")
  }

  @Test func manyFailuresAreOnePost() async throws {
    let folder = try TemporaryFolder()
    var sources: [MergedSource] = []
    for number in 0..<12 {
      let path = folder.path + "/\(number).xml"
      let text =
        number < 6
        ? "<html><body>" : "<rss><channel><item><title>\(number)</title></item></channel></rss>"
      try Data(text.utf8).write(to: URL(filePath: path))
      sources.append(
        try MergedSource(
          .file(path), after: number, format: nil, as: .source, pictures: nil, transport: nil))
    }
    let batch = try #require(try await MergedPrintout(sources, as: .styled).next())
    #expect(batch.posts.count == 7)
    let damage = try #require(batch.posts.first?.damage)
    #expect(damage.hasPrefix("6 sources failed: "))
    #expect((0..<6).allSatisfy { damage.contains("\($0).xml") })
    #expect(batch.posts.dropFirst().map(\.title.plainText) == ["6", "7", "8", "9", "10", "11"])
  }
}

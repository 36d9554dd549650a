import FoundationEssentials
import HTTP
import TestSupport
import Testing

@testable import Feeds
@testable import TimelineStore

/// Mastodon archives: their owners and their pictures.
@Suite struct ArchiveTests {
  private static let long =
    "media_attachments/files/111/222/333/444/555/666/original/"
    + String(repeating: "0123456789abcdef", count: 3) + ".png"
  private static let picture: [UInt8] = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  private static func outbox(_ addresses: [String]) -> [UInt8] {
    let items = addresses.enumerated().map { index, address in
      """
      {"type":"Create","actor":"https://x.example/users/gauge","object":{"type":"Note",
      "id":"https://x.example/\(index)","content":"<p>water \(index)</p>",
      "attachment":[{"type":"Document","mediaType":"image/png","url":"\(address)"}]}}
      """
    }
    let boost = """
      {"type":"Announce","actor":"https://x.example/users/gauge",
      "object":"https://other.example/users/bob/statuses/9"}
      """
    return Array(
      """
      {"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","orderedItems":[
      \((items + [boost]).joined(separator: ","))]}
      """.utf8)
  }

  private static let actor = Array(
    """
    {"id":"https://x.example/users/gauge","type":"Person","preferredUsername":"gauge",
    "name":"Harbour \\u001b[31mgauge","icon":{"type":"Image","url":"avatar.png"}}
    """.utf8)

  private static let files: [(String, [UInt8])] = [
    (long, picture), ("outbox.json", outbox(["/" + long, "/media_attachments/gone.png"])),
    ("actor.json", actor), ("avatar.png", [1, 2, 3]),
  ]

  /// The contents of an opened file, and a transport for its pictures.
  private struct Opened {
    var info = TimelineInfo()
    var posts: [Post] = []
    var transport: any HTTPTransport
    /// Retains the archive.
    var reader: SourceReader

    func picture(
      _ url: String, reach: RequestScope = .privateAddresses
    ) async throws(HTTPError) -> [UInt8] {
      var limits = HTTPLimits()
      limits.maximumBytes = 20_000_000
      return try await transport.fetch(HTTPRequest(url: url, reach: reach, limits: limits)).1
    }
  }

  private struct NoTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
      throw .unreachable(host: request.url, reason: "nothing is fetched here")
    }
  }

  private func open(_ path: String) async throws -> Opened {
    let pictures = ArchivePictures()
    let reader = try SourceReader(
      source: .file(path), format: nil, pictures: pictures, transport: nil)
    var opened = Opened(transport: pictures.transport(over: NoTransport()), reader: reader)
    while let batch = try await reader.next() {
      if batch.info != TimelineInfo() { opened.info = batch.info }
      opened.posts += batch.posts
    }
    return opened
  }

  private func open(
    _ bytes: [UInt8], in folder: TemporaryFolder, as name: String = "archive"
  ) async throws -> Opened {
    try await open(try folder.write(bytes, to: name))
  }

  /// Posts of an archive that is merged with other sources are stored in between.
  @MainActor @Test func mergedArchivesHaveTheirPictures() async throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in Self.files { try folder.write(bytes, to: "archive/" + name) }
    let other = try folder.write("{\"content_text\":\"x\"}\n", to: "other.jsonl")
    let pictures = ArchivePictures()
    let sources = try [folder.path + "/archive", other].map {
      try MergedSource(
        .file($0), after: 0, format: nil, as: .source, pictures: pictures, transport: nil)
    }
    let merged = try MergedTimeline(sources)
    try await merged.finishReading()
    let posts = (0..<merged.posts.count).map { merged.posts.post(at: $0) }
    let own = try #require(posts.first { !$0.pictures.isEmpty })
    #expect(own.pictures[0].url.hasPrefix("archive:") && own.pictures[0].url.hasSuffix(Self.long))
    #expect(own.author?.name.hasPrefix("Harbour") == true)
    #expect(own.author?.avatar?.hasPrefix("archive:") == true)
  }

  @Test func readsAllFormats() async throws {
    let folder = try TemporaryFolder()
    let inside = Self.files.map { ("archive-1/" + $0.0, $0.1) }
    let archives = [
      TestArchive.tar(Self.files), TestArchive.tar(inside),
      TestArchive.gzip(TestArchive.tar(Self.files)), TestArchive.zip(Self.files),
      TestArchive.zip(inside, isDeflated: true),
      TestArchive.zip(inside, isDeflated: true, isLarge: true),
    ]
    for (name, bytes) in Self.files { try folder.write(bytes, to: "unpacked/" + name) }
    var paths = [folder.path + "/unpacked", folder.path + "/unpacked/outbox.json"]
    for (number, bytes) in archives.enumerated() {
      paths.append(try folder.write(bytes, to: "archive\(number)"))
    }
    for path in paths {
      let opened = try await open(path)
      #expect(opened.info.title == "Harbour gauge (@gauge@x.example)", "\(path)")
      try #require(opened.posts.map(\.body.plainText).prefix(2) == ["water 0", "water 1"])
      let first = try #require(opened.posts.first)
      #expect(first.author?.name == "Harbour gauge")
      #expect(first.author?.handle == "@gauge@x.example")
      #expect(first.reach == .privateAddresses)
      #expect(try await opened.picture(first.author?.avatar ?? "") == [1, 2, 3])
      #expect(try await opened.picture(first.pictures.first?.url ?? "") == Self.picture)
      let gone = try #require(opened.posts.at(1).pictures.first)
      await #expect(throws: HTTPError.notInArchive(path: "media_attachments/gone.png")) {
        _ = try await opened.picture(gone.url)
      }
      let boost = try #require(opened.posts.last)
      #expect(boost.repostedBy?.name == "Harbour gauge")
      #expect(boost.author?.name == "bob")
      #expect(boost.author?.avatar == nil)
    }
  }

  /// The names of the owner are in the archive, but not in the bytes of the posts.
  @Test(arguments: [
    ("harbour", 3), ("\"harbour gauge\"", 3), ("author:harbour water", 2), ("-harbour", 0),
    ("\"harbour gauge\" statuses", 1), ("harbour \"water 1\"", 1), ("\"gauge@x\" bob", 1),
    ("\"harbour gauge\" water", 2), ("bob", 1), ("qqq", 0), ("qqq or water", 2), ("https", 1),
    ("\"gauge bob\"", 0), ("author:gauge \"water 1\"", 1), ("\"x.example\" or \"water 1\"", 3),
  ])
  func searchFindsTheOwner(_ text: String, _ count: Int) async throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in Self.files { try folder.write(bytes, to: "unpacked/" + name) }
    let path = folder.path + "/unpacked/outbox.json"
    let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
    var matcher = PostMatcher(try PostQuery(text))
    var found: [String] = []
    while let unread = try await reader.nextUnparsed() {
      unread.readEach(fitting: &matcher) { found.append($0.id) }
    }
    let all = try await open(path).posts
    #expect(found == all.filter { matcher.fits($0) }.map(\.id))
    #expect(found.count == count)
  }

  /// A server's document cannot refer to files of this machine.
  @Test func serversCannotReachArchives() async throws {
    let folder = try TemporaryFolder()
    let opened = try await open(TestArchive.zip(Self.files), in: folder)
    let url = try #require(opened.posts.first?.pictures.first?.url)
    await #expect(throws: HTTPError.unsupportedScheme("archive")) {
      _ = try await opened.picture(url, reach: .publicAddresses)
    }
    await #expect(throws: HTTPError.notInArchive(path: "x.png")) {
      _ = try await opened.picture("archive:99/x.png")
    }
  }

  /// Neither the names of an archive's files nor the links of a post lead out of the archive.
  @Test func pathsStayInside() async throws {
    let folder = try TemporaryFolder()
    try folder.write([9], to: "secret.png")
    let names = [
      "../secret.png", "/etc/secret.png", "a/../../secret.png", "..\\\\secret.png", "linked.png",
      "%2e%2e/secret.png", folder.path + "/secret.png", "inner/secret.png", "device.png",
    ]
    let entries: [TestArchive.Entry] = [
      .init("outbox.json", Self.outbox(names)), .init("actor.json", Self.actor),
      .init("../secret.png", [1]), .init("/etc/secret.png", [2]),
      .init("linked.png", kind: "2"), .init("device.png", kind: "3"),
    ]
    try folder.write(Self.outbox(names), to: "unpacked/outbox.json")
    for (link, target) in [("linked.png", "../secret.png"), ("inner", "..")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/unpacked/" + link, withDestinationPath: target)
    }
    let files = entries.map { ($0.name, $0.bytes) }.prefix(4)
    let paths = [
      try folder.write(TestArchive.tar(entries), to: "tar"),
      try folder.write(TestArchive.gzip(TestArchive.tar(entries)), to: "gzip"),
      try folder.write(TestArchive.zip(Array(files)), to: "zip"), folder.path + "/unpacked",
    ]
    for path in paths {
      let opened = try await open(path)
      #expect(opened.posts.count == names.count + 1)
      for post in opened.posts {
        guard let picture = post.pictures.first else { continue }
        let error = await #expect(throws: HTTPError.self, "\(path) \(picture.url)") {
          _ = try await opened.picture(picture.url)
        }
        #expect(error?.description.hasPrefix("not in the archive: ") == true, "\(picture.url)")
      }
    }
  }

  @Test func decompressionBombsAreRefused() async throws {
    let folder = try TemporaryFolder()
    let zeros = [UInt8](repeating: 0, count: 70 << 20)
    let before = TestArchive.gzip(
      TestArchive.tar([("bomb.mp4", zeros)] + Self.files))
    let error = await #expect(throws: SourceError.self) {
      _ = try await open(before, in: folder, as: "before")
    }
    #expect(error?.message.hasSuffix("unpacks to more than 200 times its size") == true)
    #expect(error?.exitStatus == 65)
    let behind = TestArchive.gzip(TestArchive.tar(Self.files + [("bomb.mp4", zeros)]))
    #expect(try await open(behind, in: folder, as: "behind").posts.count == 3)
    let spaces = [UInt8](repeating: 32, count: 70 << 20)
    let long = Array("{\"text\":\"".utf8) + spaces + Array("\",".utf8) + Self.outbox([]).dropFirst()
    let posts = TestArchive.zip([("outbox.json", long)], isDeflated: true)
    let reader = try SourceReader(
      source: .file(try folder.write(posts, to: "posts")), format: nil, transport: nil)
    while try await reader.nextUnparsed() != nil {}
    #expect(reader.archive.trouble == "unpacks to more than 200 times its size")
  }

  @Test func tooLargePicturesAreRefused() async throws {
    let folder = try TemporaryFolder()
    let large = [UInt8](repeating: 1, count: 20_000_001)
    let files: [(String, [UInt8])] = [
      ("outbox.json", Self.outbox(["large.png"])), ("actor.json", Self.actor),
      ("large.png", large),
    ]
    let tar = TestArchive.tar(files)
    for bytes in [tar, TestArchive.gzip(tar), TestArchive.zip(files, isDeflated: true)] {
      let opened = try await open(bytes, in: folder)
      let url = try #require(opened.posts.first?.pictures.first?.url)
      await #expect(throws: HTTPError.tooLarge(limit: 20_000_000)) {
        _ = try await opened.picture(url)
      }
    }
  }

  @Test func manyFiles() async throws {
    let folder = try TemporaryFolder()
    // More than the two bytes of a zip file's count can express.
    let many = (0..<66_000).map { ("media_attachments/\($0).png", [UInt8]()) }
    let tar = TestArchive.tar(many.prefix(2_000) + Self.files)
    let others = Self.files.filter { $0.0 != "outbox.json" }
    let zip = TestArchive.zip(Self.files.filter { $0.0 == "outbox.json" } + many + others)
    for bytes in [tar, zip] {
      let opened = try await open(bytes, in: folder)
      #expect(opened.posts.count == 3)
      let url = try #require(opened.posts.first?.pictures.first?.url)
      #expect(try await opened.picture(url) == Self.picture)
    }
  }

  /// A large zip file with wrong numbers is either read or refused.
  @Test func wrongNumbersAreSafe() async throws {
    let folder = try TemporaryFolder()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let archive = TestArchive.zip(Self.files, isLarge: true)
    let directory = try #require(archive.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
    for step in 0..<Rounds.times(100) {
      var bytes = archive
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: directory..<bytes.count, using: &generator)
        let value = ([0, 0x7F, 0x80, 0xFF] as [UInt8]).randomElement(using: &generator) ?? 0
        for index in place..<min(place + Int.random(in: 1...8, using: &generator), bytes.count) {
          bytes[index] = value
        }
      }
      let file = try FileBytes(path: folder.write(bytes, to: "archive"))
      var entries = 0
      ZipFile.forEachEntry(of: file) { entry in
        entries += 1
        let place = ZipFile.place(of: entry, in: file)
        #expect(place.map { $0.range.upperBound <= bytes.count } ?? true, "\(seed), \(step)")
        return true
      }
      #expect(entries <= Self.files.count, "\(seed), \(step)")
    }
  }

  /// A truncated archive shows the posts that remain, or an error.
  @Test func cutShort() async throws {
    let folder = try TemporaryFolder()
    let files = Self.files.map { ($0.0, Array($0.1.prefix(3_000))) }
    let tar = TestArchive.tar(files)
    for bytes in [
      tar, TestArchive.gzip(tar), TestArchive.zip(files, isDeflated: true),
      TestArchive.zip(files, isLarge: true),
    ] {
      for end in stride(from: 300, to: bytes.count, by: max(1, bytes.count / 24)) {
        let path = try folder.write(bytes[..<end], to: "cut")
        do {
          let opened = try await open(path)
          for post in opened.posts {
            for picture in post.pictures { _ = try? await opened.picture(picture.url) }
          }
        } catch let error as SourceError {
          #expect(error.exitStatus == 65)
        }
      }
    }
  }
}

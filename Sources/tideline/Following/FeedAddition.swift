import Feeds
import HTTP
import Library
import Subscriptions
import System
import TextLayout
import TimelineStore

/// `tideline add`: finds the feeds that are named, and follows them.
@MainActor struct FeedAddition {
  let library: FeedLibrary
  let finder: FeedFinder

  /// Follows the feeds that `names` name. A name that fails is reported, and the others go on.
  ///
  /// - Returns: the exit status of the first failure; 0 if there is none.
  /// - Throws: `Failure` or `LibraryError` if output or the library cannot be written;
  ///   `FeedChoice.Left` if Ctrl-C has ended a choice.
  func perform(_ names: [String]) async throws -> Int32 {
    var status: Int32 = 0
    for name in names {
      do {
        try await follow(try await finding(of: name), named: name)
      } catch let left as FeedChoice.Left where left.status == 0 {
        // The other names go on.
        continue
      } catch {
        // Output or a library that cannot be written ends the command.
        guard let failure = Failure(causedBy: error), failure.status != Program.Status.ioError
        else { throw error }
        Program.tell(failure.message)
        if status == 0 { status = failure.status }
      }
    }
    return status
  }

  // MARK: Finding

  /// Names that end so are files, unless a folder or host stands before them.
  private static let fileEndings = [
    "atom", "htm", "html", "json", "opml", "rss", "txt", "xml",
  ]

  private func finding(of name: String) async throws -> FeedFinding {
    switch TimelineSource(argument: name) {
    case .standardInput:
      return try await finding(
        in: Self.bytes(of: STDIN_FILENO, name: "standard input"), name: "standard input")
    case .file(let path) where access(path, F_OK) == 0:
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
      defer { close(descriptor) }
      return try await finding(in: Self.bytes(of: descriptor, name: path), name: path)
    case .file(let path) where !path.contains("/"):
      let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      if Self.fileEndings.contains(ending) { throw Self.unreadable(path, ENOENT) }
    case .file, .url: break
    }
    return try await finder.find(name)
  }

  private static func unreadable(_ path: String, _ code: Int32) -> Failure {
    let why = code == ENOENT ? "no such file" : SystemFailure.message(of: code)
    return Failure(message: "\(path): \(why)", status: Program.Status.noInput)
  }

  /// The feeds that a list or a page in a file names.
  private func finding(in bytes: [UInt8], name: String) async throws(Failure) -> FeedFinding {
    if let list = FeedFinder.feeds(ofList: bytes, name: name) { return list }
    let page = Array(bytes.prefix(FeedFinder.readBytes))
    if let finding = await finder.find(inPage: page, name: name) { return finding }
    throw Failure(
      message: "\(name): neither a list of feeds (OPML) nor a web page that names a feed; "
        + "other feeds are followed by their addresses",
      status: Program.Status.dataError)
  }

  /// The bytes of a file: all, unless they are more than a list may have.
  private static func bytes(of descriptor: Int32, name: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= FeedList.longest {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(name, errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  // MARK: Following

  private func follow(_ finding: FeedFinding, named name: String) async throws {
    switch finding {
    case .feed(let feed): try follow(feed)
    case .choice(let feeds):
      let choice = FeedChoice(
        display: DisplayRequest(), finder: finder, advice: "tideline add ADDRESS")
      try follow(try await choice.chosen(of: feeds, named: name))
    case .list(let feeds, let omission, let incompleteness):
      let failure = incompleteness.map {
        Failure(message: "\(name): \($0)", status: Program.Status.dataError)
      }
      if feeds.isEmpty, let failure { throw failure }
      try follow(feeds, named: name)
      if let omission { Program.tell("\(name): \(omission)") }
      if let failure { throw failure }
    }
  }

  private func follow(_ feed: FoundFeed) throws {
    let isNew = try recordFollowing(feed)
    let title = feed.title.isEmpty ? feed.address : "\(feed.title), \(feed.address)"
    let origin = feed.namedBy.map { ", named by \($0)" } ?? ""
    try Self.print("\(isNew ? "following" : "already following") \(title)\(origin)")
  }

  private func follow(_ feeds: [FoundFeed], named name: String) throws {
    guard let first = feeds.first else {
      throw Failure(
        message: "\(name): a list of feeds (OPML) that names none over http or https",
        status: Program.Status.dataError)
    }
    var newCount = 0
    for feed in feeds where try recordFollowing(feed) { newCount += 1 }
    let known = feeds.count - newCount
    try Self.print(
      "following \(newCount.counted("feed")) of \(first.namedBy ?? name)"
        + (known > 0 ? "; \(known) \(known == 1 ? "was" : "were") followed already" : ""))
  }

  private func recordFollowing(_ feed: FoundFeed) throws(LibraryError) -> Bool {
    try library.follow(
      feed.address, title: feed.title, ownName: feed.ownName, tags: feed.tags,
      at: SystemClock.wallTime
    ).isNew
  }

  private static func print(_ line: String) throws(Failure) {
    _ = try PlainOutput.write(Sanitizer.line(line) + "\n")
  }
}

extension Failure {
  /// 64 for what names nothing, 65 if there is no feed, 69 if no server answers.
  init(_ error: FeedFindingError) {
    let status =
      switch error.reason {
      case .unusable: Program.Status.usage
      case .nothing: Program.Status.dataError
      case .remote: Program.Status.unavailable
      }
    self.init(message: error.message, status: status)
  }
}

import Feeds
import HTTP
import Synchronization
import System

/// What an archive of Mastodon's has besides its posts: whose it is, and pictures.
///
/// 1. It is filled once, before the first byte of the posts is handed on, and never changed after
///    that.
/// 2. Nothing of it is written to a file that has a name. What cannot be read by place is kept in
///    a spool.
/// 3. A path is looked up among those that it holds; only of an unpacked one files are opened, no
///    link among them.
/// 4. Of any other file or pipe it is empty, and says only how far posts may lead.
package final class Archive: RowCompletion {
  /// Where its files are.
  enum Files: Sendable {
    case none
    /// In a file of tar, or the spool of one.
    case plain([String: Range<Int>], in: FileBytes)
    case zip([String: ZipFile.Entry], in: FileBytes)
    /// Unpacked, in a folder.
    case folder(String)
  }

  private struct State {
    var files = Files.none
    /// The folder within the archive in which the posts stand.
    var folder = ""
    var owner: Post.Author?
    var prefix: String?
    var trouble: String?
  }

  /// Files that are kept of an archive. `200,000`.
  static let files = 200_000
  /// Bytes of a picture that are kept, as many as are fetched of one. `20 MB`.
  static let pictureBytes = 20_000_000
  static let actorBytes = 1 << 20
  /// The file that says whose archive it is.
  private static let actor = "actor.json"

  private let state = Mutex(State())
  private let source: String
  private let pictures: ArchivePictures?

  /// - Parameters:
  ///   - source: what it is called, so that pictures keep their addresses when it is opened again.
  ///   - pictures: by what its pictures are found; without it their addresses stay as they are.
  init(source: String, pictures: ArchivePictures?) {
    self.source = source
    self.pictures = pictures
  }

  /// Why not all of it could be read, in one clause.
  var trouble: String? { state.withLock { $0.trouble } }

  func fail(_ reason: String) { state.withLock { $0.trouble = $0.trouble ?? reason } }

  /// - Parameter posts: where in the archive the posts are.
  func fill(_ files: Files, posts: String) {
    let folder = ArchivePath.folder(of: posts)
    state.withLock { ($0.files, $0.folder) = (files, folder) }
    let actor = try? read(Self.actor, limit: Self.actorBytes)
    let owner = actor.flatMap { ActorDocument.author(in: $0) }
    let prefix = pictures?.add(self, of: source)
    state.withLock { ($0.owner, $0.prefix) = (owner, prefix) }
  }

  /// All of a file.
  ///
  /// - Parameter path: from the folder in which the posts stand.
  /// - Throws: `HTTPError.notInArchive`, `.tooLarge`, or `.truncated` where the archive ends
  /// before.
  func read(_ path: String, limit: Int) throws(HTTPError) -> [UInt8] {
    let (files, folder) = state.withLock { ($0.files, $0.folder) }
    let limit = min(limit, Self.pictureBytes)
    guard let path = ArchivePath.plain(URLReference.decoded(path)) else {
      throw .notInArchive(path: path)
    }
    let full = folder + path
    switch files {
    case .none: throw .notInArchive(path: path)
    case .folder(let root): return try FolderFile.read(path, in: root, limit: limit)
    case .plain(let places, let file):
      guard let place = places[full] else { throw .notInArchive(path: path) }
      guard place.count <= limit else { throw .tooLarge(limit: limit) }
      let bytes = (try? file.read(place)) ?? []
      guard bytes.count == place.count else {
        throw .truncated(expected: place.count, received: bytes.count)
      }
      return bytes
    case .zip(let entries, let file):
      guard let entry = entries[full] else { throw .notInArchive(path: path) }
      guard let place = ZipFile.place(of: entry, in: file) else {
        throw .truncated(expected: nil, received: 0)
      }
      guard place.range.count <= limit, entry.size <= limit else { throw .tooLarge(limit: limit) }
      let bytes = (try? file.read(place.range)) ?? []
      guard place.isDeflated else { return bytes }
      return try Self.inflated(bytes, limit: limit)
    }
  }

  private static func inflated(_ packed: [UInt8], limit: Int) throws(HTTPError) -> [UInt8] {
    var reader = GzipReader(isRaw: true)
    var bytes: [UInt8] = []
    _ = reader.unpack(packed) { piece in
      bytes += piece
      return bytes.count <= limit
    }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    guard !reader.hasFailed else { throw .truncated(expected: nil, received: bytes.count) }
    return bytes
  }

  private func holds(_ path: String) -> Bool {
    state.withLock { state in
      switch state.files {
      case .none: false
      case .folder(let root): FolderFile.isThere(path, in: root)
      case .plain(let places, _): places[state.folder + path] != nil
      case .zip(let entries, _): entries[state.folder + path] != nil
      }
    }
  }

  // MARK: Its posts

  /// Whether it has anything to say of its posts.
  var isFilled: Bool { state.withLock { if case .none = $0.files { false } else { true } } }

  /// Names it by its owner, and has it lead as far as a file may. The owner's picture is no icon:
  /// authors without one of their own would wear it.
  func complete(_ info: inout TimelineInfo) {
    if info.title.isEmpty, let owner = state.withLock({ $0.owner }) {
      info.title = owner.handle.isEmpty ? owner.name : "\(owner.name) (\(owner.handle))"
    }
    // A source that says nothing about itself keeps saying so.
    if info != TimelineInfo() { info.reach = .privateAddresses }
  }

  /// What posts may be given of its owner.
  package var names: [String] {
    state.withLock { state in state.owner.map { [$0.name, $0.handle] } ?? [] }
  }

  /// Has a post lead as far as a file may, and it and those that it quotes know their author and
  /// find their pictures.
  package func complete(_ post: inout Post) {
    post.reach = .privateAddresses
    let (owner, prefix) = state.withLock { ($0.owner, $0.prefix) }
    complete(&post, owner, prefix, depth: 0)
  }

  private func complete(_ post: inout Post, _ owner: Post.Author?, _ prefix: String?, depth: Int) {
    if post.author == nil, post.damage == nil, depth == 0 { post.author = owner }
    if let owner {
      if post.author?.handle == owner.handle { post.author = owner }
      if post.repostedBy?.handle == owner.handle { post.repostedBy = owner }
    }
    if let avatar = post.author?.avatar { post.author?.avatar = address(of: avatar, prefix) }
    if let avatar = post.repostedBy?.avatar {
      post.repostedBy?.avatar = address(of: avatar, prefix)
    }
    for index in post.pictures.indices {
      post.pictures[index].url = address(of: post.pictures[index].url, prefix)
    }
    for index in post.quotes.indices {
      complete(&post.quotes[index], owner, prefix, depth: depth + 1)
    }
  }

  /// Where a picture is found: in the archive, where its address is relative or one that the
  /// archive has,
  /// as servers write them in several ways.
  private func address(of url: String, _ prefix: String?) -> String {
    guard let prefix else { return url }
    var own: String?
    if let media = url.firstRange(of: "media_attachments/") {
      let path = String(url[media.lowerBound...])
      if holds(path) { own = path }
    }
    if own == nil, URLReference.scheme(of: url) == nil, !url.hasPrefix("//") {
      own = String(url.drop { $0 == "/" })
    }
    return own.map { prefix + $0 } ?? url
  }
}

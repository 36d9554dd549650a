import Answers
import Feeds
import HTTP
import Synchronization
import System

/// The contents of a Mastodon archive besides its posts: its owner and its pictures.
///
/// 1. It is filled once, before the first byte of the posts is handed on; after that only `trouble`
///    changes.
/// 2. Nothing is written to a file that has a name. Contents that cannot be read by position are
///    kept in a spool.
/// 3. Paths are only looked up among those of the archive. Files are opened only in an unpacked
///    archive, and never through symbolic links.
/// 4. For any other file or pipe it is empty, and only limits the reach of the posts.
package final class Archive: RowCompletion {
  /// The location of the files.
  enum Files: Sendable {
    case none
    /// In a tar file, or in the spool of one.
    case plain([String: Range<Int>], in: FileBytes)
    case zip([String: ZipFile.Entry], in: FileBytes)
    /// Unpacked, in a folder.
    case folder(String)
  }

  private struct State {
    var files = Files.none
    /// The folder of the posts within the archive.
    var folder = ""
    var owner: Post.Author?
    var prefix: String?
    var trouble: String?
  }

  /// The maximum number of files kept of an archive. `200,000`.
  static let files = 200_000
  /// The maximum size of a picture in bytes, the same as for one from a server. `20 MB`.
  static let pictureBytes = 20_000_000
  static let actorBytes = 1 << 20
  /// The file that describes the owner.
  private static let actor = "actor.json"

  private let state = Mutex(State())
  private let source: String
  private let pictures: ArchivePictures?

  /// - Parameters:
  ///   - source: the name of the source, by which pictures keep their addresses when it is
  ///     reopened.
  ///   - pictures: the registry that finds the pictures; without it their addresses stay unchanged.
  init(source: String, pictures: ArchivePictures?) {
    self.source = source
    self.pictures = pictures
  }

  /// Why not everything could be read, as one clause.
  var trouble: String? { state.withLock { $0.trouble } }

  func fail(_ reason: String) { state.withLock { $0.trouble = $0.trouble ?? reason } }

  /// - Parameter posts: the path of the posts in the archive.
  func fill(_ files: Files, posts: String) {
    let folder = ArchivePath.folder(of: posts)
    state.withLock { ($0.files, $0.folder) = (files, folder) }
    let actor = try? read(Self.actor, limit: Self.actorBytes)
    let owner = actor.flatMap { ActorDocument.author(in: $0) }
    let prefix = pictures?.add(self, of: source)
    state.withLock { ($0.owner, $0.prefix) = (owner, prefix) }
  }

  /// Reads a whole file.
  ///
  /// - Parameter path: relative to the folder of the posts.
  /// - Throws: `HTTPError.notInArchive`, `.tooLarge`, or `.truncated` if the archive is incomplete.
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
      guard bytes.count == place.range.count else {
        throw .truncated(expected: place.range.count, received: bytes.count)
      }
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
      case .folder(let root): FolderFile.exists(path, in: root)
      case .plain(let places, _): places[state.folder + path] != nil
      case .zip(let entries, _): entries[state.folder + path] != nil
      }
    }
  }

  // MARK: Completing posts

  /// Whether the source is an archive whose contents are known.
  var isFilled: Bool { state.withLock { if case .none = $0.files { false } else { true } } }

  /// Gives a timeline without a title that of its owner, and the reach of a file. The owner's
  /// picture does not become the icon, because authors without a picture would get it.
  func complete(_ info: inout TimelineInfo) {
    if info.title.isEmpty, let owner = state.withLock({ $0.owner }) {
      info.title = owner.handle.isEmpty ? owner.name : "\(owner.name) (\(owner.handle))"
    }
    // Empty information stays empty, so that it is still recognized as none.
    if info != TimelineInfo() { info.reach = .privateAddresses }
  }

  /// The names of the owner, which may be added to posts.
  package var names: [String] {
    state.withLock { state in state.owner.map { [$0.name, $0.handle] } ?? [] }
  }

  /// Gives a post the reach of a file, and completes the authors and picture addresses of the post
  /// and its quotes.
  package func complete(_ post: inout Post) {
    post.reach = .privateAddresses
    let (owner, prefix) = state.withLock { ($0.owner, $0.prefix) }
    complete(&post, owner, prefix, depth: 0)
  }

  /// Gives pictures the addresses that they have within the archive, for a post that is stored in
  /// between: `complete` makes them those of this run again.
  func makeRelative(_ post: inout Post) {
    guard let prefix = state.withLock({ $0.prefix }) else { return }
    Self.makeRelative(&post, prefix)
  }

  private static func makeRelative(_ post: inout Post, _ prefix: String) {
    let relative = { (url: String) in
      url.hasPrefix(prefix) ? String(url.dropFirst(prefix.count)) : url
    }
    if let avatar = post.author?.avatar { post.author?.avatar = relative(avatar) }
    if let avatar = post.repostedBy?.avatar { post.repostedBy?.avatar = relative(avatar) }
    for index in post.pictures.indices {
      post.pictures[index].url = relative(post.pictures[index].url)
    }
    for index in post.quotes.indices { makeRelative(&post.quotes[index], prefix) }
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

  /// The address of a picture in the archive if `url` is relative or contains the path of a file of
  /// the archive, as servers write it in several ways; else `url`.
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

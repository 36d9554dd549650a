import System

/// Finds the files of a tar archive, on the thread that reads it. Of a regular file only the
/// headers are read; of a pipe the wanted files are kept in a spool.
struct TarIndexer {
  /// The position of the posts, and the file that holds them.
  typealias Posts = (file: FileBytes, place: Range<Int>)

  private let file: FileBytes
  private let archive: Archive
  private let isWanted: () -> Bool
  private var places: [String: Range<Int>] = [:]
  private var posts: (path: String, place: Range<Int>)?

  /// - Parameter isWanted: whether the posts are still wanted.
  init(_ file: FileBytes, for archive: Archive, isWanted: @escaping () -> Bool) {
    self.file = file
    self.archive = archive
    self.isWanted = isWanted
  }

  /// Scans the whole archive and fills `archive`.
  ///
  /// - Parameter head: the bytes already read of a pipe.
  /// - Returns: `nil` if there are no posts.
  mutating func run(after head: [UInt8]) -> Posts? {
    if let size = file.size {
      scanByPosition(size)
      return finished(in: file)
    }
    do throws(SystemFailure) {
      let spool = try SpoolFile.make(in: SpoolFile.temporaryFolder)
      scanByReading(head, into: spool)
      return finished(in: spool)
    } catch {
      archive.fail("cannot be kept in a temporary file: \(SystemFailure.message(of: error.code))")
      return nil
    }
  }

  private func finished(in file: FileBytes) -> Posts? {
    guard let posts else { return nil }
    archive.fill(.plain(places, in: file), posts: posts.path)
    return (file, posts.place)
  }

  /// - Returns: whether the file is kept.
  private mutating func note(_ path: [UInt8], _ place: Range<Int>) -> Bool {
    if posts == nil, let path = ArchivePath.posts(path) {
      posts = (path, place)
      return true
    }
    guard ArchivePath.isKept(path), places.count < Archive.files,
      let name = ArchivePath.plain(path)
    else { return false }
    places[name] = place
    return place.count <= Archive.pictureBytes
  }

  private mutating func scanByPosition(_ size: Int) {
    var reader = TarReader()
    var position = 0
    while position < size, isWanted() {
      guard let block = try? file.read(position..<min(size, position + 512)) else { return }
      position += block.count
      var found: (path: [UInt8], place: Range<Int>)?
      let goesOn = reader.read(block) { event in
        if case .file(let path, let place) = event { found = (path, place) }
        return true
      }
      if let found { _ = note(found.path, found.place.clamped(to: 0..<max(size, 1))) }
      guard goesOn, !block.isEmpty else { return }
      position += reader.skipEntry()
    }
  }

  private mutating func scanByReading(_ head: [UInt8], into spool: FileBytes) {
    var reader = TarReader()
    var bytes = head
    var end = 0
    var isKept = false
    while isWanted() {
      let goesOn = reader.read(bytes) { event in
        switch event {
        case .file(let path, let place):
          isKept = note(path, end..<end + place.count)
          return true
        case .bytes(let piece):
          return !isKept || keep(piece, in: spool, at: &end)
        }
      }
      guard goesOn, case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk) else {
        return
      }
      bytes = more
    }
  }

  /// - Returns: whether the bytes could be kept.
  private func keep(_ piece: UnsafeRawBufferPointer, in spool: FileBytes, at end: inout Int) -> Bool
  {
    guard end + piece.count <= SpoolFile.limit else {
      archive.fail("has more than \(SpoolFile.limit.formattedBytes) of posts and pictures")
      return false
    }
    let (written, code) = spool.write(piece, at: end)
    end += written
    guard let code else { return true }
    archive.fail("cannot be kept in a temporary file: \(SystemFailure.message(of: code))")
    return false
  }
}

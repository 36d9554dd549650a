import Answers
import Feeds
import System

/// Unpacks files in which no position can be found without reading everything before it:
/// decompresses gzip, converts UTF-16, UTF-32 and ISO-2022-JP to UTF-8, and extracts the posts of
/// an archive. A separate thread does that as the bytes are requested; the other contents of an
/// archive are found before its posts.
enum FileUnpacker {
  enum Packing {
    case gzip, encoding, tar, zip
  }

  static func packing(of head: [UInt8]) -> Packing? {
    if GzipReader.begins(head) { return .gzip }
    if TarReader.begins(head) { return .tar }
    if ZipFile.begins(head) { return .zip }
    return TextConverter.isNeeded(for: head) ? .encoding : nil
  }

  /// The number of bytes that show how a file is packed.
  private static let headBytes = 1_024
  /// The maximum depth of packings, such as UTF-16 within gzip.
  static let layers = 2

  /// The unpacked contents of a regular file that is packed; for other files the file itself.
  static func opened(_ file: FileBytes, filling archive: Archive) -> (FileBytes, Packing?) {
    guard let size = file.size, let head = try? file.read(0..<min(size, headBytes)),
      let packing = packing(of: head),
      let unpacked = unpacking(file, packing, after: [], filling: archive)
    else { return (file, nil) }
    return (unpacked, packing)
  }

  /// The unpacked contents of a file whose bytes `head` were already read; `nil` if it is a zip
  /// file without posts, or the system lacks resources.
  static func unpacking(
    _ file: FileBytes, _ packing: Packing, after head: [UInt8], filling archive: Archive
  ) -> FileBytes? {
    // The directory of a zip file is at its end.
    let posts = packing == .zip ? ZipFile.posts(in: file) : nil
    guard packing != .zip || posts != nil else { return nil }
    var ends: [Int32] = [0, 0]
    // A socket, because writing to a closed one can be an error instead of a signal.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reading, writing) = (ends[0], ends[1])
    let isStarted = DedicatedThread.start {
      switch packing {
      case .gzip: unpack(isRaw: false, archive, to: writing) { read(file, after: head, $0) }
      case .encoding: convert(file, head, to: writing)
      case .tar: extract(file, head, archive, to: writing)
      case .zip:
        if let posts {
          index(file, posts.path, archive)
          unpack(posts.place, of: file, archive, to: writing)
        }
      }
      close(writing)
    }
    guard isStarted else {
      close(reading)
      close(writing)
      return nil
    }
    return FileBytes(descriptor: reading, closes: true, size: nil)
  }

  private static func unpack(
    isRaw: Bool, _ archive: Archive, to socket: Int32,
    pieces: (_ body: ([UInt8]) -> Bool) -> Void
  ) {
    var reader = GzipReader(isRaw: isRaw)
    // Data without a gzip frame is from a zip file.
    var ratio = PackedRatio(isArchive: isRaw ? true : nil)
    pieces { packed in
      ratio.packed += packed.count
      let goesOn = reader.unpack(packed) { ratio.allows($0) && write($0, to: socket) }
      if ratio.isExceeded { archive.fail(PackedRatio.reason) }
      return goesOn
    }
  }

  /// Passes `head` and the rest of the file to `body`, in pieces.
  private static func read(_ file: FileBytes, after head: [UInt8], _ body: ([UInt8]) -> Bool) {
    var piece = head
    while piece.isEmpty || body(piece) {
      guard case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk) else { return }
      piece = more
    }
  }

  private static func convert(_ file: FileBytes, _ head: [UInt8], to socket: Int32) {
    var source = head
    // A byte order mark takes four bytes, a declaration more.
    while source.count < 4 || source.count < headBytes && !TextConverter.isNeeded(for: source),
      case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk)
    {
      source += more
    }
    guard var converter = TextConverter(for: source) else { return }
    read(file, after: source) { piece in
      converter.convert(piece, isFinal: false).withUnsafeBytes { write($0, to: socket) }
    }
    _ = converter.convert([], isFinal: true).withUnsafeBytes { write($0, to: socket) }
  }

  /// Writes the posts of a tar archive to the socket, after scanning the whole archive.
  private static func extract(
    _ file: FileBytes, _ head: [UInt8], _ archive: Archive, to socket: Int32
  ) {
    var indexing = TarIndexer(file, for: archive) { isOpen(socket) }
    guard let posts = indexing.run(after: head) else { return }
    pass(posts.place, of: posts.file, to: socket)
  }

  private static func index(_ file: FileBytes, _ posts: String, _ archive: Archive) {
    var entries: [String: ZipFile.Entry] = [:]
    ZipFile.forEachEntry(of: file) { entry in
      if ArchivePath.isKept(entry.path), let name = ArchivePath.plain(entry.path) {
        entries[name] = entry.withoutPath
      }
      return entries.count < Archive.files
    }
    archive.fill(.zip(entries, in: file), posts: posts)
  }

  private static func unpack(
    _ place: ZipFile.Place, of file: FileBytes, _ archive: Archive, to socket: Int32
  ) {
    guard place.isDeflated else { return pass(place.range, of: file, to: socket) }
    unpack(isRaw: true, archive, to: socket) { copy(place.range, of: file, $0) }
  }

  private static func pass(_ place: Range<Int>, of file: FileBytes, to socket: Int32) {
    copy(place, of: file) { bytes in bytes.withUnsafeBytes { write($0, to: socket) } }
  }

  /// Passes the bytes at a position to `body` in pieces, as far as they exist.
  private static func copy(_ place: Range<Int>, of file: FileBytes, _ body: ([UInt8]) -> Bool) {
    var position = place.lowerBound
    while position < place.upperBound {
      let end = min(place.upperBound, position + SourceReader.firstChunk)
      guard let bytes = try? file.read(position..<end), !bytes.isEmpty, body(bytes) else { return }
      position += bytes.count
    }
  }

  /// Whether the other end of the socket is open.
  private static func isOpen(_ socket: Int32) -> Bool {
    var state = pollfd(fd: socket, events: 0, revents: 0)
    return poll(&state, 1, 0) == 0
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let sent = send(
        socket, bytes.baseAddress.map { $0 + done }, bytes.count - done, Int32(MSG_NOSIGNAL))
      if sent < 0 {
        if errno == EINTR { continue }
        return false
      }
      done += sent
    }
    return true
  }
}

/// Limits the ratio of unpacked to packed bytes.
struct PackedRatio {
  /// The number of unpacked bytes that is always allowed.
  static let free = 64 << 20
  /// Beyond that, the maximum number of unpacked bytes for each packed one.
  static let most = 200
  static let reason = "unpacks to more than \(most) times its size"

  var packed = 0
  private var unpacked = 0
  /// `nil` until the first bytes have shown it.
  private var isArchive: Bool?
  private var head: [UInt8] = []
  private(set) var isExceeded = false

  /// - Parameter isArchive: whether the data is an archive; if `nil`, its first bytes decide. Other
  ///   data is only limited by the number of bytes kept of it.
  init(isArchive: Bool? = nil) { self.isArchive = isArchive }

  /// Counts unpacked bytes.
  ///
  /// - Returns: whether the ratio is still within the limit.
  mutating func allows(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unpacked += bytes.count
    if isArchive == nil {
      head += bytes.prefix(512 - head.count)
      if head.count == 512 { isArchive = TarReader.begins(head) }
    }
    isExceeded = isArchive == true && unpacked > Self.free && unpacked / Self.most > packed
    return !isExceeded
  }
}

import Feeds
import System

/// A file in which no place is found without reading all before it, as the bytes that it holds: a file of
/// gzip unpacked, one in UTF-16, UTF-32 or ISO-2022-JP in UTF-8, of an archive the posts. That is done on
/// a thread of its own, as the bytes are asked for.
enum PackedFile {
  enum Packing {
    case gzip, encoding, tar, zip
  }

  static func packing(of head: [UInt8]) -> Packing? {
    if GzipReader.begins(head) { return .gzip }
    if TarReader.begins(head) { return .tar }
    if ZipFile.begins(head) { return .zip }
    return TextConverter.isNeeded(for: head) ? .encoding : nil
  }

  /// Bytes that show how a file is packed.
  private static let headBytes = 1_024
  /// A file within a file, such as UTF-16 within gzip.
  static let layers = 2

  /// The file, or what is packed in it where it has a size and is packed.
  static func opened(_ file: FileBytes) -> (FileBytes, Packing?) {
    guard let size = file.size, let head = try? file.read(0..<min(size, headBytes)),
      let packing = packing(of: head),
      let unpacked = unpacking(file, head: [], packing: packing)
    else { return (file, nil) }
    return (unpacked, packing)
  }

  /// What is packed in a file of which `head` was read already; nil where nothing is, or the system has
  /// no room.
  static func unpacking(_ file: FileBytes, after head: [UInt8]) -> FileBytes? {
    unpacking(file, head: head, packing: packing(of: head))
  }

  private static func unpacking(
    _ file: FileBytes, head: [UInt8], packing: Packing?
  ) -> FileBytes? {
    guard let packing else { return nil }
    // What a zip file holds is told at its end.
    let entry = packing == .zip ? ZipFile.posts(in: file) : nil
    guard packing != .zip || entry != nil else { return nil }
    var ends: [Int32] = [0, 0]
    // A socket, as writing to one that is closed can be an error instead of a signal.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reading, writing) = (ends[0], ends[1])
    let isStarted = OwnThread.start {
      switch packing {
      case .gzip: unpack(file, head, to: writing)
      case .encoding: convert(file, head, to: writing)
      case .tar: extract(file, head, to: writing)
      case .zip: if let entry { unpack(entry, of: file, to: writing) }
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

  private static func unpack(_ file: FileBytes, _ head: [UInt8], to socket: Int32) {
    var reader = GzipReader()
    var packed = head
    while true {
      if !packed.isEmpty {
        let goesOn = reader.unpack(packed) { write($0, to: socket) }
        guard goesOn else { return }
      }
      guard case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk) else { return }
      packed = more
    }
  }

  private static func convert(_ file: FileBytes, _ head: [UInt8], to socket: Int32) {
    var source = head
    // A mark is told by four bytes, a declaration by more.
    while source.count < 4 || source.count < headBytes && !TextConverter.isNeeded(for: source),
      case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk)
    {
      source += more
    }
    guard var converter = TextConverter(for: source) else { return }
    while true {
      let text = converter.convert(source, isFinal: false)
      guard text.withUnsafeBytes({ write($0, to: socket) }) else { return }
      guard case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk) else { break }
      source = more
    }
    _ = converter.convert([], isFinal: true).withUnsafeBytes { write($0, to: socket) }
  }

  /// The posts in an archive; nothing of it is ever written to a file.
  private static func extract(_ file: FileBytes, _ head: [UInt8], to socket: Int32) {
    var reader = TarReader()
    var bytes = head
    while true {
      let goesOn = reader.read(bytes) { write($0, to: socket) }
      guard goesOn, case .bytes(let more) = file.readNow(atMost: SourceReader.firstChunk) else {
        return
      }
      bytes = more
    }
  }

  private static func unpack(_ entry: ZipFile.Entry, of file: FileBytes, to socket: Int32) {
    var reader = GzipReader(isRaw: true)
    var position = entry.range.lowerBound
    while position < entry.range.upperBound {
      let end = min(entry.range.upperBound, position + SourceReader.firstChunk)
      guard let bytes = try? file.read(position..<end), !bytes.isEmpty else { return }
      position += bytes.count
      let goesOn =
        entry.isDeflated
        ? reader.unpack(bytes) { write($0, to: socket) }
        : bytes.withUnsafeBytes { write($0, to: socket) }
      guard goesOn else { return }
    }
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

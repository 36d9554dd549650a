import System

/// The files in which places are kept, one a source, in a folder of their own.
///
/// 1. A file is written beside its place and renamed: who reads it finds the old or the new, whole.
///    It is not waited for until the disk has it: what a power failure takes is a place, no text.
/// 2. Programs that write at once write files of their own; of one source the last counts.
/// 3. There are ``maximumCount`` files at most, none older than ``maximumAge``. One that somebody
///    writes anew while it is taken away is put back.
/// 4. What is no file of this kind is left alone.
public struct PlaceFiles: Sendable {
  /// The folder's path.
  public let folder: String

  /// Files that are kept.
  static let maximumCount = 500
  /// Seconds after which a file goes: a year and a month.
  static let maximumAge = 396 * 86_400
  /// Entries of the folder that are looked at.
  private static let maximumEntries = 20_000

  /// The files in `folder`, which need not exist.
  public init(folder: String) { self.folder = folder }

  /// A source's name in these files: of several what they are, in their order. Passwords are not in
  /// it. Nil for what cannot be opened again.
  public static func name(of sources: [TimelineSource], in workingFolder: String) -> String? {
    var names: [String] = []
    for source in sources {
      switch source {
      case .file(let path): names.append(path.hasPrefix("/") ? path : "\(workingFolder)/\(path)")
      case .url(let address): names.append(address.url)
      case .standardInput: return nil
      }
    }
    return names.isEmpty ? nil : names.joined(separator: "\n")
  }

  private func path(of source: String) -> String {
    var hash = StableHash()
    hash.combine(source)
    return "\(folder)/\(hash.text)"
  }

  // MARK: One place

  /// The place of a source; nil where none is kept, or what is kept cannot be read.
  ///
  /// - Complexity: O(1): of a file 16 kB are read.
  public func place(of source: String) -> RememberedPlace? {
    let descriptor = open(path(of: source), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: RememberedPlace.maximumBytes)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return RememberedPlace(Array(bytes[..<count]), of: source)
  }

  /// Keeps the place of a source, in the place of the one that is kept.
  ///
  /// - Throws: `SystemFailure` where the file system does not let it; what was kept is as it was.
  func keep(_ place: RememberedPlace, of source: String) throws(SystemFailure) {
    let bytes = place.encoded(of: source)
    guard bytes.count <= RememberedPlace.maximumBytes else { return }
    try PrivateFiles.makeFolder(folder)
    try PrivateFiles.replace(path(of: source), with: bytes)
  }

  // MARK: All of them

  private struct Entry {
    var name: String
    var time: Int
    var isTemporary: Bool
  }

  /// Takes away what is too old, the oldest of what is too much, and what an interrupted write has
  /// left.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Complexity: O(n log n) in the files of the folder.
  func prune(now: Int) {
    var entries = entries
    let isOld = { (entry: Entry) in now - entry.time > (entry.isTemporary ? 3_600 : Self.maximumAge)
    }
    for entry in entries where isOld(entry) { remove(entry) }
    entries.removeAll { $0.isTemporary || isOld($0) }
    guard entries.count > Self.maximumCount else { return }
    entries.sort { ($0.time, $0.name) < ($1.time, $1.name) }
    for entry in entries.dropLast(Self.maximumCount) { remove(entry) }
  }

  /// What is a file of this kind, or was to become one.
  private var entries: [Entry] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var entries: [Entry] = []
    while entries.count < Self.maximumEntries, let next = readdir(directory) {
      let name = withUnsafeBytes(of: next.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), parts[0].utf8.count == 32,
        parts[0].allSatisfy({ $0.isHexDigit && !$0.isUppercase }),
        parts.count == 1 || Int(parts[1]) != nil, let time = time(of: name)
      else { continue }
      entries.append(Entry(name: name, time: time, isTemporary: parts.count == 2))
    }
    return entries
  }

  /// When a file was written, in seconds since 1970; nil where there is none.
  private func time(of name: String) -> Int? {
    var status = stat()
    guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_mtim.tv_sec)
  }

  private func remove(_ entry: Entry) {
    let path = "\(folder)/\(entry.name)"
    guard !entry.isTemporary else {
      unlink(path)
      return
    }
    // Out of the way first: only then is it certain which file is looked at.
    let aside = "\(path).\(getpid())"
    guard rename(path, aside) == 0 else { return }
    if time(of: "\(entry.name).\(getpid())") != entry.time { link(aside, path) }
    unlink(aside)
  }
}

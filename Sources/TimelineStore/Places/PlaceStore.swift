import System

/// The files in which places are kept, one for each source, in a folder of their own.
///
/// 1. A file is written beside its target and renamed, so that readers find the old or the new one,
///    whole. Writing does not wait for the disk: a power failure can lose a place, but no text.
/// 2. Programs that write at the same time write separate files; the last place of a source is
///    kept.
/// 3. There are ``maximumCount`` files at most, none older than ``maximumAge``. A file that another
///    program writes again while it is being removed is put back.
/// 4. Other files are left alone.
package struct PlaceStore: Sendable {
  /// The path of the folder.
  package let folder: String

  /// The maximum number of files.
  static let maximumCount = 500
  /// The seconds after which a file is removed: a year and a month.
  static let maximumAge = 396 * 86_400
  /// The maximum number of folder entries examined.
  private static let maximumEntries = 20_000

  /// Creates a store in `folder`, which need not exist: the first write makes it.
  package init(folder: String) { self.folder = folder }

  /// The name of `sources` in these files, in their order and without passwords; `nil` if one of
  /// them cannot be opened again.
  package static func name(of sources: [TimelineSource], in workingFolder: String) -> String? {
    var names: String?
    for source in sources {
      let name: String
      switch source {
      case .file(let path): name = path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
      case .url(let address): name = address.url
      case .standardInput: return nil
      }
      names = names.map { "\($0)\n\(name)" } ?? name
    }
    return names
  }

  private func path(of source: String) -> String {
    var hash = StableHash()
    hash.combine(source)
    return "\(folder)/\(hash.text)"
  }

  // MARK: One place

  /// The place of a source; `nil` if none is kept, or it cannot be read.
  ///
  /// - Complexity: O(1): at most 32 KiB of a file are read.
  package func place(of source: String) -> RememberedPlace? {
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

  /// Replaces the place of a source; one that takes more than 32 KiB is not kept.
  ///
  /// - Throws: `SystemFailure` of the file system; the previous place is then unchanged.
  func keep(_ place: RememberedPlace, of source: String) throws(SystemFailure) {
    let bytes = place.encoded(of: source)
    guard bytes.count <= RememberedPlace.maximumBytes else { return }
    try PrivateFiles.makeFolder(folder)
    try PrivateFiles.replace(path(of: source), with: [bytes])
  }

  // MARK: All of them

  private struct Entry {
    var name: String
    var time: Int
    var isTemporary: Bool
  }

  /// Removes files that are too old, the oldest ones beyond the maximum number, and the remains of
  /// interrupted writes.
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

  /// The files of places, and those that interrupted writes have left.
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

  /// When a file was written, in seconds since 1970; `nil` if there is no regular file.
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
    // Renamed first: only then is it certain which file is examined.
    let aside = "\(path).\(getpid())"
    guard rename(path, aside) == 0 else { return }
    if time(of: "\(entry.name).\(getpid())") != entry.time { link(aside, path) }
    unlink(aside)
  }
}

import Library
import System
import TimelineStore

/// The library of the command line.
@MainActor enum LibraryLocation {
  /// The path of the library: `option`, else `TIDELINE_LIBRARY`, else the user's own; `nil` if
  /// there is no place for one.
  static func path(_ option: String?) -> String? {
    let named = option ?? ProcessEnvironment.variables["TIDELINE_LIBRARY"]
    if let named, !named.isEmpty { return named }
    return UserFolder.data.map { $0 + "/library.db" }
  }

  /// Opens the library, and creates it if it is missing.
  ///
  /// - Parameter settings: how long items are kept.
  /// - Throws: `LibraryError`.
  static func open(
    _ options: LibraryOptions, _ settings: LibrarySettings
  ) throws(LibraryError) -> FeedLibrary {
    try FeedLibrary(path: try requiredPath(options), keepDays: settings.keepDays)
  }

  /// Opens the library if there is one.
  ///
  /// - Parameter settings: how long items are kept; `nil` to write nothing.
  /// - Returns: `nil` if the user has none yet.
  /// - Throws: `LibraryError`; `Failure` if `--library` names a file that is not there.
  static func openExisting(
    _ options: LibraryOptions, _ settings: LibrarySettings? = nil
  ) throws -> FeedLibrary? {
    let path = try requiredPath(options)
    guard try exists(path) else {
      if options.library != nil { throw missing(path) }
      return nil
    }
    return try FeedLibrary(
      path: path, isReadOnly: settings == nil, keepDays: settings?.keepDays)
  }

  private static func requiredPath(_ options: LibraryOptions) throws(LibraryError) -> String {
    guard let path = path(options.library) else { throw noPlace }
    return path
  }

  /// Whether there is a file at a path.
  ///
  /// - Throws: `LibraryError` if that cannot be found out: a folder cannot be searched, a disk
  ///   read.
  static func exists(_ path: String) throws(LibraryError) -> Bool {
    if access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw LibraryError(.system(code: errno), file: path) }
    // A link to a disk that is not there is no library without feeds.
    var part = path[...]
    while !part.isEmpty {
      var status = stat()
      if lstat(String(part), &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFLNK, stat(String(part), &status) != 0 else { break }
        throw LibraryError(.brokenLink, file: String(part))
      }
      part = part[..<(part.lastIndex(of: "/") ?? part.startIndex)]
    }
    return false
  }

  /// There is no folder for a library.
  static var noPlace: LibraryError { LibraryError(.system(code: ENOENT), file: "$HOME") }

  /// A library that is asked for is not there.
  static func missing(_ path: String) -> Failure {
    Failure(
      message: "\(path): there is no library yet; tideline add NAME follows a feed",
      status: Program.Status.noInput)
  }
}

extension Failure {
  /// The error of a library, with its exit status.
  init(_ error: LibraryError) {
    let file = error.file.isEmpty ? "the library" : error.file
    self.init(message: "\(file): \(error.reason)", status: error.exitStatus)
  }
}

import Library
import System

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
    try FeedLibrary(path: try existingPath(options), keepDays: settings.keepDays)
  }

  /// Opens the library without writing to it.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `LibraryError`.
  static func openToRead(_ options: LibraryOptions) throws(LibraryError) -> FeedLibrary? {
    let path = try existingPath(options)
    guard access(path, F_OK) == 0 else { return nil }
    return try FeedLibrary(path: path, isReadOnly: true)
  }

  private static func existingPath(_ options: LibraryOptions) throws(LibraryError) -> String {
    guard let path = path(options.library) else {
      throw LibraryError(.system(code: ENOENT), file: "$HOME")
    }
    return path
  }
}

extension Failure {
  /// 65 for a file that is no library or is damaged, 66 for one that cannot be read, 69 without
  /// SQLite, 74 if it cannot be written.
  init(_ error: LibraryError) {
    let status: Int32 =
      switch error.cause {
      case .notALibrary, .newer, .older, .damaged: Program.Status.dataError
      case .notAFile, .vanished, .noSuchFeed: Program.Status.noInput
      case .noSQLite, .oldSQLite: Program.Status.unavailable
      case .locked, .readOnly, .full, .system, .other: Program.Status.cannotCreate
      }
    let file = error.file.isEmpty ? "the library" : error.file
    self.init(message: "\(file): \(error.reason)", status: status)
  }
}

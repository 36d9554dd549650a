import Library
import System

/// The library of the command line.
@MainActor enum LibraryLocation {
  /// The path of the library: `option`, else `TIDELINE_LIBRARY`, else the user's own; `nil` if
  /// there is no place for one.
  static func path(_ option: String?) -> String? {
    let environment = ProcessEnvironment.variables
    if let named = option ?? environment["TIDELINE_LIBRARY"], !named.isEmpty { return named }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return data + "/tideline/library.db"
    }
    return environment["HOME"].flatMap {
      $0.hasPrefix("/") ? $0 + "/.local/share/tideline/library.db" : nil
    }
  }

  /// Opens the library, and creates it if it is missing.
  ///
  /// - Parameter settings: how long items are kept.
  /// - Throws: `Failure`.
  static func open(
    _ options: LibraryOptions, _ settings: LibrarySettings
  ) throws(Failure) -> FeedLibrary {
    do throws(LibraryError) {
      return try FeedLibrary(path: try existingPath(options), keepDays: settings.keepDays)
    } catch {
      throw Failure(error)
    }
  }

  /// Opens the library without writing to it.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: `Failure`.
  static func openToRead(_ options: LibraryOptions) throws(Failure) -> FeedLibrary? {
    do throws(LibraryError) {
      let path = try existingPath(options)
      guard access(path, F_OK) == 0 else { return nil }
      return try FeedLibrary(path: path, isReadOnly: true)
    } catch {
      throw Failure(error)
    }
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

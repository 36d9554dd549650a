import System

/// The file of a library, and the connections to it.
struct LibraryFile: Sendable {
  /// Empty for a temporary library.
  let path: String
  /// Identifies the opened file, since the path may lead to another one later. `nil` for a
  /// temporary library.
  private let identity: FileIdentity?
  private let schema: LibrarySchema
  /// Whether nothing may be written.
  private let isReadOnly: Bool
  /// Why nothing can be written, although it may be.
  private(set) var obstacle: LibraryError.Cause?
  /// Milliseconds that others than the screen wait for a lock.
  private let patience: Int32

  /// Milliseconds that a reader of the screen waits for a lock, which writers hold for longer only
  /// when they recover a file after a crash.
  private static let screenPatience: Int32 = 100
  /// Milliseconds that opening waits.
  private static let openingPatience: Int32 = 1_000
  /// Milliseconds that others wait. `5 s`
  static let usualPatience: Int32 = 5_000

  /// Why nothing is written; `nil` if it is.
  var refusal: LibraryError? {
    isReadOnly || obstacle != nil ? LibraryError(obstacle ?? .readOnly, file: path) : nil
  }

  // MARK: Opening

  /// Opens the file at a path; creates it if it is missing, unless `isReadOnly`.
  ///
  /// - Returns: also a connection for the screen.
  static func open(
    _ path: String, isReadOnly: Bool, schema: LibrarySchema, patience: Int32
  ) throws(LibraryError) -> sending (file: LibraryFile, screen: SQLiteConnection) {
    if !isReadOnly { try create(path) }
    guard let identity = FileIdentity(path: path) else {
      throw LibraryError(.system(code: ENOENT), file: path)
    }
    guard identity.isRegular else { throw LibraryError(.notAFile, file: path) }
    var file = LibraryFile(
      path: path, identity: identity, schema: schema, isReadOnly: isReadOnly, patience: patience)
    let screen = try file.openForReading(patience: openingPatience)
    switch try schema.currentState(of: screen, file: path) {
    case .current: break
    case .empty where file.refusal != nil: throw LibraryError(.notALibrary, file: path)
    case .old(let version) where file.refusal != nil:
      throw LibraryError(.older(version: version), file: path)
    case .old(let version):
      try file.copy(version: version, screen)
      _ = try file.openForWriting()
    case .empty: _ = try file.openForWriting()
    }
    screen.waitForLocks(milliseconds: screenPatience)
    return (file, screen)
  }

  /// Creates an empty file for the user alone. Its path is not opened if there is one: closing any
  /// descriptor of a file gives up the locks that SQLite has in this process.
  static func create(_ path: String) throws(LibraryError) {
    guard FileIdentity(path: path) == nil else { return }
    do throws(SystemFailure) {
      if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
        try PrivateFiles.makeFolder(String(path[..<slash]))
      }
      close(try PrivateFiles.create(path))
    } catch {
      guard error.code != EEXIST else { return }
      throw LibraryError(.system(code: error.code), file: path)
    }
  }

  /// Opens a reader; if the file or its folder cannot be written, or the disk is full, without
  /// files beside it.
  private mutating func openForReading(patience: Int32) throws(LibraryError) -> SQLiteConnection {
    do throws(LibraryError) {
      let connection = try SQLiteConnection(
        path: path, file: path, access: isReadOnly ? .readOnly : .readWrite, patience: patience)
      _ = try connection.number("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch {
      guard error.isForbidden || error.cause == .full else { throw error }
      guard access(path, R_OK) == 0 else {
        throw LibraryError(.unreadable(code: errno), file: path)
      }
      let hasLog = (FileStamp(path: path + "-wal")?.size ?? 0) > 0
      if hasLog { throw error.cause == .full ? error : LibraryError(.unclosed, file: path) }
      if !isReadOnly { obstacle = error.cause == .full ? .full : .readOnly }
      return try SQLiteConnection(
        path: path, file: path, access: .immutable, patience: patience)
    }
  }

  /// A connection for reading in the background.
  func openReader() throws(LibraryError) -> sending SQLiteConnection {
    var file = self
    return try file.openForReading(patience: patience)
  }

  /// A connection for writing. It makes the tables that are missing.
  func openForWriting() throws(LibraryError) -> sending SQLiteConnection {
    if let refusal { throw refusal }
    try checkPath()
    let connection = try SQLiteConnection(
      path: path, file: path, access: .readWrite, patience: patience)
    try prepareForWriting(connection)
    return connection
  }

  func prepareForWriting(_ connection: SQLiteConnection) throws(LibraryError) {
    try schema.migrate(connection, file: path)
    do throws(LibraryError) {
      // Pages in the log are read beside the writer. The mode stays with the file.
      _ = try connection.row("PRAGMA journal_mode = WAL") { $0.text(0) }
    } catch {
      // Other programs have it open in the old mode: it works, and the next one changes it.
      guard error.cause == .locked else { throw error }
    }
    // 4 MB of the log are kept after a large transaction; 8 MB of pages for scattered keys.
    try connection.execute("PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -8000")
  }

  /// Makes a connection that others than the screen use wait for locks as usual.
  func waitForLocks(_ connection: SQLiteConnection) {
    connection.waitForLocks(milliseconds: patience)
  }

  /// Copies the file before it is migrated, to `library.db.v1` for version 1.
  private func copy(version: Int, _ connection: SQLiteConnection) throws(LibraryError) {
    let target = "\(path).v\(version)"
    unlink(target)
    do throws(SystemFailure) {
      close(try PrivateFiles.create(target))
    } catch {
      throw LibraryError(.system(code: error.code), file: target)
    }
    try connection.run("VACUUM INTO ?", .text(target))
  }

  /// - Throws: `LibraryError.vanished` if the file is not at its path any more. SQLite would go on
  ///   to write a file that no program finds again.
  func checkPath() throws(LibraryError) {
    guard identity == nil || FileIdentity(path: path) == identity else {
      throw LibraryError(.vanished, file: path)
    }
  }
}

extension LibraryFile {
  /// A temporary library.
  init(temporary schema: LibrarySchema) {
    self.init(
      path: "", identity: nil, schema: schema, isReadOnly: false, patience: Self.usualPatience)
  }
}

extension LibraryError {
  /// Whether the file or its folder cannot be written.
  fileprivate var isForbidden: Bool {
    // `SQLITE_CANTOPEN` and `SQLITE_PERM`.
    if case .other(let code, _) = cause { return code & 0xFF == 14 || code & 0xFF == 3 }
    return cause == .readOnly
  }
}

import Synchronization

/// The connections to a library: one for the screen, one for reading in the background, and one
/// that writes. Each is used by one thread at a time; however long that takes, the others can be
/// used.
final class LibraryConnections: Sendable {
  let file: LibraryFile
  private let screen: Mutex<SQLiteConnection>
  private let background: Mutex<SQLiteConnection?>
  private let writer: Mutex<Writer>

  /// The writer, opened when something is written.
  private struct Writer {
    var connection: SQLiteConnection?
    /// `PRAGMA data_version` of `connection` at the last look. It changes when others write.
    var version: Int64 = 0
    /// The same of the screen's connection, for the time before there is a writer.
    var screenVersion: Int64
    /// Whether others wrote before the writer was opened, and it was not reported yet.
    var sawOtherChanges = false
  }

  init(
    path: String, isReadOnly: Bool, schema: LibrarySchema, patience: Int32
  ) throws(LibraryError) {
    if path.isEmpty {
      let temporary = try TemporaryLibraryFile(schema: schema)
      file = temporary.file
      let writing = try temporary.open()
      screen = Mutex(try temporary.open())
      background = Mutex(try temporary.open())
      let version = try Self.version(of: writing)
      writer = Mutex(Writer(connection: writing, version: version, screenVersion: 0))
    } else {
      let (file, connection) = try LibraryFile.open(
        path, isReadOnly: isReadOnly, schema: schema, patience: patience)
      self.file = file
      let version = try Self.version(of: connection)
      screen = Mutex(connection)
      background = Mutex(nil)
      writer = Mutex(Writer(screenVersion: version))
    }
  }

  private static func version(of connection: SQLiteConnection) throws(LibraryError) -> Int64 {
    try connection.number("PRAGMA data_version")
  }

  /// Runs `body` with the screen's connection.
  func onScreen<Value: Sendable>(
    _ body: (SQLiteConnection) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try screen.withLock { (connection) throws(LibraryError) -> Value in try body(connection) }
  }

  /// Runs `body` with the connection for the background.
  func inBackground<Value: Sendable>(
    _ body: (SQLiteConnection) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try background.withLock { (connection) throws(LibraryError) -> Value in
      if let connection { return try body(connection) }
      let opened = try file.openReader()
      connection = opened
      return try body(opened)
    }
  }

  /// Runs `body` in a transaction.
  func write<Value: Sendable>(
    _ body: (SQLiteConnection) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    if let refusal = file.refusal { throw refusal }
    return try writer.withLock { (writer) throws(LibraryError) -> Value in
      try file.checkPath()
      if writer.connection == nil { writer = try openWriter(seen: writer.screenVersion) }
      guard let connection = writer.connection else {
        throw LibraryError(.readOnly, file: file.path)
      }
      try connection.begin()
      do throws(LibraryError) {
        let value = try body(connection)
        try connection.commit()
        return value
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  /// Moves the pages of the log into the file, unless others read or write at this moment.
  func emptyLog() throws(LibraryError) {
    try writer.withLock { (writer) throws(LibraryError) in
      guard let connection = writer.connection else { return }
      connection.waitForLocks(milliseconds: 0)
      defer { file.waitForLocks(connection) }
      _ = try connection.row("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
    }
  }

  /// - Parameter seen: the version of the screen's connection at the last look for changes.
  private func openWriter(seen: Int64) throws(LibraryError) -> sending Writer {
    let connection = try file.openForWriting()
    // In this order: what others write meanwhile is seen by both, not by neither.
    let version = try Self.version(of: connection)
    let screenVersion = try onScreen { (screen) throws(LibraryError) in
      try Self.version(of: screen)
    }
    return Writer(
      connection: connection, version: version, screenVersion: screenVersion,
      sawOtherChanges: screenVersion != seen)
  }

  /// Whether another program has written since the last call; false while this one writes.
  func takeOtherChanges() -> Bool {
    writer.withLockIfAvailable { writer in
      let wasSeen = writer.sawOtherChanges
      writer.sawOtherChanges = false
      if let connection = writer.connection {
        guard let version = try? Self.version(of: connection) else { return wasSeen }
        defer { writer.version = version }
        return wasSeen || version != writer.version
      }
      let version = try? onScreen { (screen) throws(LibraryError) in
        try Self.version(of: screen)
      }
      guard let version else { return wasSeen }
      defer { writer.screenVersion = version }
      return wasSeen || version != writer.screenVersion
    } ?? false
  }
}

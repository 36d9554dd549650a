import CSQLite
import System

/// A connection to an SQLite file: statements that are prepared once, transactions, and errors with
/// a readable cause. Its owner ensures that only one thread uses it at a time.
final class SQLiteConnection {
  /// How a file is opened.
  enum Access {
    case readWrite, readOnly
    /// Without locks, a WAL or a journal. The file must not change while it is open.
    case immutable
  }

  private let sqlite: SQLiteFunctions
  private let handle: OpaquePointer
  /// The file's name in errors.
  private let file: String
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens an existing file.
  ///
  /// - Parameters:
  ///   - file: the name in errors.
  ///   - patience: the milliseconds that a statement waits for a lock.
  init(
    path: String, file: String, access: Access, patience: Int32
  ) throws(LibraryError) {
    guard let sqlite = SQLite.functions else { throw LibraryError(.noSQLite, file: file) }
    let version = sqlite.sqlite3_libversion_number()
    guard version >= SQLite.minimumVersion else {
      throw LibraryError(.oldSQLite(SQLite.name(ofVersion: version)), file: file)
    }
    // The owner serializes calls, so SQLite needs no mutexes.
    var flags = SQLITE_OPEN_NOMUTEX
    flags |= access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var name = path
    if access == .immutable {
      flags |= SQLITE_OPEN_URI
      name = Self.immutableAddress(of: path)
    }
    var opened: OpaquePointer?
    let code = sqlite.sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = Self.failure(code, opened, sqlite, file)
      _ = sqlite.sqlite3_close_v2(opened)
      throw error
    }
    _ = sqlite.sqlite3_extended_result_codes(opened, 1)
    self.sqlite = sqlite
    self.handle = opened
    self.file = file
    waitForLocks(milliseconds: patience)
    // Reading a mapped file that shrinks would crash the program (SIGBUS). A file that others made
    // must not run functions that its schema names.
    try execute(
      """
      PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
      """)
  }

  deinit {
    statements = [:]
    _ = sqlite.sqlite3_close_v2(handle)
  }

  /// Sets how long a statement waits for a lock.
  func waitForLocks(milliseconds: Int32) {
    _ = sqlite.sqlite3_busy_timeout(handle, milliseconds)
  }

  private static func immutableAddress(of path: String) -> String {
    let plain = path.utf8.map { byte -> String in
      byte.isAlphanumeric || byte == UInt8(ascii: "/")
        ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
    }
    return "file:" + plain.joined() + "?immutable=1"
  }

  // MARK: Statements

  /// Runs a script of statements without parameters, and ignores their rows.
  func execute(_ script: String) throws(LibraryError) {
    let code = sqlite.sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// A statement, prepared once.
  func statement(_ text: String) throws(LibraryError) -> SQLiteStatement {
    if let known = statements[text] { return known }
    var prepared: OpaquePointer?
    let code = sqlite.sqlite3_prepare_v3(
      handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    let statement = SQLiteStatement(prepared, of: sqlite) { [sqlite, handle, file] code in
      Self.failure(code, handle, sqlite, file)
    }
    statements[text] = statement
    return statement
  }

  /// Runs a statement, and ignores its rows.
  ///
  /// - Returns: the number of rows that it changed; meaningless unless it is an `INSERT`, `UPDATE`
  ///   or `DELETE`.
  @discardableResult
  func run(_ text: String, _ values: SQLiteValue...) throws(LibraryError) -> Int {
    let statement = try statement(text)
    try statement.bind(values)
    while try statement.step() {}
    return Int(sqlite.sqlite3_changes(handle))
  }

  /// Calls `body` with each row.
  func forEachRow(
    _ text: String, _ values: [SQLiteValue],
    _ body: (SQLiteStatement) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let statement = try statement(text)
    try statement.bind(values)
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }

  /// All rows, each converted by `read`.
  func rows<Value>(
    _ text: String, _ values: SQLiteValue..., as read: (SQLiteStatement) -> Value
  ) throws(LibraryError) -> [Value] {
    var rows: [Value] = []
    try forEachRow(text, values) { (row) throws(LibraryError) in
      rows.append(read(row))
    }
    return rows
  }

  /// The first row, converted by `read`; `nil` if there is none.
  func row<Value>(
    _ text: String, _ values: SQLiteValue..., as read: (SQLiteStatement) -> Value
  ) throws(LibraryError) -> Value? {
    let statement = try statement(text)
    try statement.bind(values)
    defer { statement.reset() }
    return try statement.step() ? read(statement) : nil
  }

  /// The number in the first column of the first row; 0 if there is none or it is null.
  func number(_ text: String, _ values: SQLiteValue...) throws(LibraryError) -> Int64 {
    let statement = try statement(text)
    try statement.bind(values)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The key of the row that was inserted last.
  var lastInsertedKey: Int64 { sqlite.sqlite3_last_insert_rowid(handle) }

  // MARK: Transactions

  /// Begins a transaction that excludes other writers from its start.
  func begin() throws(LibraryError) { try run("BEGIN IMMEDIATE") }

  func commit() throws(LibraryError) { try run("COMMIT") }

  /// Rolls the transaction back, unless an error such as a full disk has already done so.
  func rollBack() {
    if sqlite.sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
  }

  /// Runs `body` in a transaction, which is committed, or rolled back if `body` throws.
  func transaction<Value>(
    _ body: (SQLiteConnection) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try begin()
    do throws(LibraryError) {
      let value = try body(self)
      try commit()
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  // MARK: Errors

  private func failure(_ code: Int32) -> LibraryError {
    Self.failure(code, handle, sqlite, file)
  }

  private static func failure(
    _ code: Int32, _ handle: OpaquePointer?, _ sqlite: SQLiteFunctions, _ file: String
  ) -> LibraryError {
    let message = sqlite.sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
    let extended = handle == nil ? code : sqlite.sqlite3_extended_errcode(handle)
    let system = handle == nil ? 0 : sqlite.sqlite3_system_errno(handle)
    let cause = LibraryError.Cause(code: code, extended: extended, system: system, message)
    return LibraryError(cause, file: file)
  }
}

extension LibraryError.Cause {
  /// - Parameters:
  ///   - extended: SQLite's extended code, if it belongs to the same error.
  ///   - system: `errno` of the last system call that failed.
  init(code: Int32, extended: Int32, system: Int32, _ message: String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    // The file was renamed or unlinked (`SQLITE_READONLY_DBMOVED`, a macro that is not imported).
    case SQLITE_READONLY where extended == SQLITE_READONLY | (4 << 8): self = .vanished
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_FULL: self = .full
    // The WAL or its index could not be created or extended.
    case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(system),
      SQLITE_CANTOPEN where [ENOSPC, EDQUOT].contains(system):
      self = .full
    case SQLITE_CANTOPEN where [EMFILE, ENFILE].contains(system): self = .system(code: system)
    case SQLITE_NOTADB: self = .notALibrary
    case SQLITE_CORRUPT: self = .damaged(message)
    // `SQLITE_IOERR_SHORT_READ` and `SQLITE_IOERR_CORRUPTFS`.
    case SQLITE_IOERR
    where extended == SQLITE_IOERR | (2 << 8) || extended == SQLITE_IOERR | (33 << 8):
      self = .damaged(message)
    default: self = .other(code: extended, message)
    }
  }
}

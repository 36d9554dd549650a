import CSQLite

/// A prepared statement. Its connection owns it, and runs it on one thread at a time.
final class SQLiteStatement {
  private let sqlite: SQLiteFunctions
  private let handle: OpaquePointer
  private let failure: (Int32) -> LibraryError

  /// - Parameter failure: makes an error of a code.
  init(
    _ handle: OpaquePointer, of sqlite: SQLiteFunctions,
    failure: @escaping (Int32) -> LibraryError
  ) {
    self.sqlite = sqlite
    self.handle = handle
    self.failure = failure
  }

  deinit { _ = sqlite.sqlite3_finalize(handle) }

  // MARK: Parameters

  /// Sets all parameters, from the first on.
  func bind(_ values: [SQLiteValue]) throws(LibraryError) {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Runs it, without rows, for these numbers.
  func run(_ numbers: Int64...) throws(LibraryError) {
    for (index, number) in numbers.enumerated() { try bind(number, at: Int32(index + 1)) }
    while try step() {}
  }

  func bind(_ number: Int64, at index: Int32) throws(LibraryError) {
    try check(sqlite.sqlite3_bind_int64(handle, index, number))
  }

  private func bind(_ value: SQLiteValue, at index: Int32) throws(LibraryError) {
    switch value {
    case .integer(let number): try bind(number, at: index)
    case .null: try check(sqlite.sqlite3_bind_null(handle, index))
    // Neither is bound as NULL when it is empty: Swift passes a pointer all the same.
    case .text(let text):
      let count = Int32(clamping: text.utf8.count)
      try check(sqlite.sqlite3_bind_text(handle, index, text, count, sqlite_copied()))
    case .bytes(let bytes):
      let count = Int32(clamping: bytes.count)
      try check(sqlite.sqlite3_bind_blob(handle, index, bytes, count, sqlite_copied()))
    }
  }

  private func check(_ code: Int32) throws(LibraryError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  // MARK: Rows

  /// Runs until the next row; false at the end, after which it is reset.
  func step() throws(LibraryError) -> Bool {
    let code = sqlite.sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      // The reason is lost when the statement is reset.
      let error = failure(code)
      reset()
      throw error
    }
    reset()
    return false
  }

  /// Ends a run before its last row.
  func reset() { _ = sqlite.sqlite3_reset(handle) }

  func integer(_ column: Int32) -> Int64 { sqlite.sqlite3_column_int64(handle, column) }

  func integerOrNil(_ column: Int32) -> Int64? {
    sqlite.sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
  }

  func time(_ column: Int32) -> Double? { integerOrNil(column).map(Milliseconds.seconds) }

  /// The text of a column; invalid UTF-8 is repaired.
  func textOrNil(_ column: Int32) -> String? {
    guard let start = sqlite.sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite.sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func text(_ column: Int32) -> String { textOrNil(column) ?? "" }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite.sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite.sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Whether a column has text, and not bytes.
  func isText(_ column: Int32) -> Bool {
    sqlite.sqlite3_column_type(handle, column) == SQLITE_TEXT
  }

  func item(_ column: Int32) -> ItemID { ItemID(integer(column)) }
  func feed(_ column: Int32) -> FeedID { FeedID(integer(column)) }
}

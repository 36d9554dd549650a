/// The tables of a library, by versions.
///
/// `user_version` counts them, and a later version is made of the one before it by a migration. The
/// rule by which items are recognized (``ItemIdentity``) belongs to the version as well: another
/// rule needs a migration that computes all keys again.
struct LibrarySchema: Sendable {
  /// The script of each version, from 1 on.
  let scripts: [String]

  static let current = LibrarySchema(scripts: [first])

  var version: Int { scripts.count }

  /// Marks files of tideline: `"tide"`.
  static let applicationID: Int64 = 0x7469_6465

  /// The state of a file.
  enum State: Equatable {
    case empty
    case current
    /// An older version, to be migrated.
    case old(Int)
  }

  /// The state of a file, which others may change meanwhile.
  func currentState(of connection: SQLiteConnection, file: String) throws(LibraryError) -> State {
    try connection.run("BEGIN")
    defer { connection.rollBack() }
    return try state(of: connection, file: file)
  }

  /// Compares the version of a file. The caller has begun a transaction: a file that another
  /// program is just making would contradict itself.
  ///
  /// - Throws: `LibraryError` if it is another program's or a later version's.
  private func state(of connection: SQLiteConnection, file: String) throws(LibraryError) -> State {
    let mark = try connection.number("PRAGMA application_id")
    let found = Int(try connection.number("PRAGMA user_version"))
    if mark == 0, found == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 {
      return .empty
    }
    guard mark == Self.applicationID, found > 0 else {
      throw LibraryError(.notALibrary, file: file)
    }
    guard found <= version else {
      throw LibraryError(.newer(version: found, known: version), file: file)
    }
    return found == version ? .current : .old(found)
  }

  /// Makes the present version of an empty or older file. Each version is one transaction; if
  /// another program is faster, its work counts.
  func migrate(_ connection: SQLiteConnection, file: String) throws(LibraryError) {
    while try currentState(of: connection, file: file) != .current {
      try connection.transaction { (connection) throws(LibraryError) in
        let found: Int
        switch try state(of: connection, file: file) {
        case .current: return
        case .empty: found = 0
        case .old(let version): found = version
        }
        try connection.execute(scripts[found])
        try connection.execute(
          "PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(found + 1)")
      }
    }
  }

  /// Times are milliseconds since 1970. Keys are never used again: the log of markings, other
  /// programs and the screen hold them.
  ///
  /// An item is narrow, since lists go through many; its body stands apart. Unread items are rows
  /// of their own, so that marking changes nothing else (``UnreadTable``).
  private static let first = """
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      address TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL DEFAULT '',
      own_name TEXT,
      followed_since INTEGER,
      -- Its validators and the address that sent them.
      validated_address TEXT, entity_tag TEXT, last_modified TEXT, validated_at INTEGER,
      redirect_target TEXT, redirect_count INTEGER, redirect_since INTEGER,
      next_time INTEGER NOT NULL DEFAULT 0,
      last_attempt INTEGER,
      hint TEXT NOT NULL DEFAULT '',
      pause_reason TEXT,
      last_success INTEGER,
      last_error TEXT,
      failures INTEGER NOT NULL DEFAULT 0,
      -- Whether a document had two items with one identifier.
      has_doubles INTEGER NOT NULL DEFAULT 0,
      -- The sum of its runs in `unread`.
      unread_count INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE tag (
      feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
      name TEXT NOT NULL,
      PRIMARY KEY (feed, name)
    ) WITHOUT ROWID;
    CREATE TABLE item (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feed INTEGER NOT NULL REFERENCES feed,
      uid BLOB NOT NULL,
      hash INTEGER NOT NULL,
      published INTEGER,
      first_seen INTEGER NOT NULL,
      -- The date by which it is sorted.
      date INTEGER NOT NULL,
      -- Whether the last document that was not empty had it.
      is_held INTEGER NOT NULL,
      title TEXT NOT NULL,
      link TEXT,
      UNIQUE (feed, uid)
    );
    CREATE INDEX item_by_date ON item (date DESC, id, feed);
    CREATE INDEX item_of_feed ON item (feed, date DESC);
    CREATE INDEX item_held ON item (feed) WHERE is_held;
    -- The line as text, or a place in a file as bytes.
    CREATE TABLE body (
      item INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
      content NOT NULL
    );
    -- Runs of unread items: keys of one feed, without others between them.
    CREATE TABLE unread (
      first INTEGER PRIMARY KEY,
      last INTEGER NOT NULL,
      feed INTEGER NOT NULL REFERENCES feed
    );
    CREATE TABLE saved (
      item INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
      time INTEGER NOT NULL
    );
    -- Items that were deleted.
    CREATE TABLE state (
      feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
      uid BLOB NOT NULL,
      item INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      is_read INTEGER NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (feed, uid)
    ) WITHOUT ROWID;
    -- The last markings, to take them back.
    CREATE TABLE marking (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      mark INTEGER NOT NULL,
      time INTEGER NOT NULL,
      items BLOB NOT NULL
    );
    CREATE TABLE visit (
      timeline TEXT PRIMARY KEY,
      latest_item INTEGER NOT NULL,
      time INTEGER NOT NULL
    ) WITHOUT ROWID;
    """
}

/// The tables of a library, by versions.
///
/// `user_version` is the number of the version; a migration makes each version from the one before
/// it. The rule by which items are recognized (``ItemIdentity``) belongs to the version as well:
/// another rule needs a migration that computes all identities again.
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

  /// The state of a file at this moment; other programs may change it at any time.
  func currentState(of connection: SQLiteConnection, file: String) throws(LibraryError) -> State {
    try connection.run("BEGIN")
    defer { connection.rollBack() }
    return try state(of: connection, file: file)
  }

  /// The state of a file. The caller has begun a transaction, without which the values could
  /// contradict each other while another program creates the file.
  ///
  /// - Throws: `LibraryError` if it is another program's or a later version's.
  private func state(of connection: SQLiteConnection, file: String) throws(LibraryError) -> State {
    let applicationID = try connection.number("PRAGMA application_id")
    let found = Int(try connection.number("PRAGMA user_version"))
    if applicationID == 0, found == 0,
      try connection.number("SELECT count(*) FROM sqlite_schema") == 0
    {
      return .empty
    }
    guard applicationID == Self.applicationID, found > 0 else {
      throw LibraryError(.notALibrary, file: file)
    }
    guard found <= version else {
      throw LibraryError(.newer(version: found, known: version), file: file)
    }
    return found == version ? .current : .old(found)
  }

  /// Migrates an empty or older file to the current version. Each version is one transaction; a
  /// migration that another program has made meanwhile is not repeated.
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

  /// Times are milliseconds since 1970. Keys are never reused, because the log of markings, other
  /// programs and the screen keep them.
  ///
  /// Rows of `item` are narrow, because timelines scan many of them; bodies have their own table.
  /// Unread items are rows of `unread`, so that marking changes no item (``UnreadTable``).
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

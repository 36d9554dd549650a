import System

/// A temporary library file. It is unlinked when this object is released, after its connections
/// were opened; the system frees it with the last connection, even if the program is killed.
///
/// SQLite's own temporary databases allow only one connection, so readers would wait for writers.
final class TemporaryLibraryFile {
  let file: LibraryFile
  private let folder: String
  private var path: String { folder + "/library.db" }

  init(schema: LibrarySchema) throws(LibraryError) {
    file = LibraryFile(temporary: schema)
    folder = try Self.makeFolder()
    try LibraryFile.create(path)
  }

  deinit {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    rmdir(folder)
  }

  /// Opens another connection to the file.
  func open() throws(LibraryError) -> sending SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path, file: "", access: .readWrite, patience: LibraryFile.usualPatience)
    try file.prepareForWriting(connection)
    // The first read opens the WAL, by its name, which must still exist.
    _ = try connection.number("SELECT count(*) FROM feed")
    try connection.execute("PRAGMA synchronous = OFF")
    return connection
  }

  private static func makeFolder() throws(LibraryError) -> String {
    var code = ENOENT
    for base in [ProcessEnvironment.variables["TMPDIR"] ?? "", "/tmp", "/var/tmp"]
    where !base.isEmpty {
      var folder = Array("\(base)/tideline-XXXXXX".utf8CString)
      if mkdtemp(&folder) != nil {
        return String(
          decoding: folder.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
      code = errno
    }
    throw LibraryError(.system(code: code), file: "")
  }
}

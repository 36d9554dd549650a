/// Why a library could not be opened, read or written.
package struct LibraryError: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// SQLite is not installed.
    case noSQLite
    /// SQLite is older than needed; its version.
    case oldSQLite(String)
    /// The path leads to a folder or a device.
    case notAFile
    /// The file belongs to another program.
    case notALibrary
    /// Written by a later version of tideline; its schema and the latest known one.
    case newer(version: Int, known: Int)
    case damaged(String)
    /// Another program has kept it locked for longer than one waits.
    case locked
    case readOnly
    /// The disk is full.
    case full
    /// The file is not at its path any more, or another one is.
    case vanished
    /// A system call failed, such as that which creates the folder.
    case system(code: Int32)
    /// No feed has this key or address.
    case noSuchFeed(String)
    /// Two programs ask for different things at once, or a value is out of range.
    case refused(String)
    /// Any other error of SQLite.
    case other(code: Int32, String)
  }

  /// The path of the library's file; empty for a temporary one.
  package let file: String
  package let cause: Cause

  package init(_ cause: Cause, file: String) {
    self.cause = cause
    self.file = file
  }
}

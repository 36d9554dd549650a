import System

/// Why a library could not be opened, read or written.
package struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    /// SQLite is not installed.
    case noSQLite
    /// SQLite is too old; its version.
    case oldSQLite(String)
    /// The path leads to a folder or a device.
    case notAFile
    /// The file belongs to another program.
    case notALibrary
    /// Written by a later version of tideline: the version of its schema, and the latest one that
    /// is known here.
    case newer(version: Int, known: Int)
    /// An older version, which cannot be opened without writing.
    case older(version: Int)
    /// What SQLite says of the damage.
    case damaged(String)
    /// Another program kept it locked for too long.
    case locked
    /// The file may not be read; the `errno`.
    case unreadable(code: Int32)
    /// The file has a log beside it, which SQLite cannot read without writing to the folder.
    case unclosed
    case readOnly
    /// The disk is full.
    case full
    /// The path is a link that leads nowhere.
    case brokenLink
    /// The file is not at its path any more, or another one is.
    case vanished
    /// A system call failed, such as that which creates the folder; its `errno`.
    case system(code: Int32)
    /// No feed has this key.
    case noSuchFeed(String)
    /// Any other error of SQLite: its code and message.
    case other(code: Int32, String)
  }

  package let cause: Cause
  /// The path of the library's file; empty for a temporary one.
  package let file: String

  package init(_ cause: Cause, file: String) {
    self.cause = cause
    self.file = file
  }

  /// The cause as one clause.
  package var reason: String {
    switch cause {
    case .noSQLite: "SQLite (libsqlite3) is not installed"
    case .oldSQLite(let version):
      "SQLite \(version) is too old, \(SQLite.name(ofVersion: SQLite.minimumVersion)) is needed"
    case .notAFile: "is not a file"
    case .notALibrary: "is not a library of tideline"
    case .newer(let version, let known):
      "was written by a later tideline (version \(version), known up to \(known))"
    case .older(let version):
      "was written by an earlier tideline (version \(version)), and is open without writing"
    case .damaged(let text): "is damaged: \(text)"
    case .locked: "is locked by another program"
    case .unreadable(let code): "cannot be read: \(SystemFailure.message(of: code))"
    case .unclosed: "is open or was not closed properly, and its folder cannot be written"
    case .readOnly: "cannot be written"
    case .full: "cannot be written, the disk is full"
    case .brokenLink: "is a link that leads nowhere"
    case .vanished: "was moved or deleted"
    case .system(let code): SystemFailure.message(of: code)
    case .noSuchFeed(let feed): "has no \(feed)"
    case .other(let code, let text): "\(text) (SQLite error \(code))"
    }
  }

  /// Whether no other write can succeed now either.
  package var preventsAllWrites: Bool {
    switch cause {
    case .locked, .readOnly, .full, .vanished: true
    default: false
    }
  }

  /// The reason after the file's name.
  package var description: String {
    let name = file.split(separator: "/").last.map(String.init) ?? "the temporary library"
    return cause == .noSQLite ? reason : "\(name): \(reason)"
  }
}

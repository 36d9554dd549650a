import CSQLite

/// SQLite's functions, opened when the first library is.
enum SQLite {
  static let functions: SQLiteFunctions? = sqlite_library()?.pointee

  /// The oldest version that has all that is used: `UPDATE … FROM` and `sqlite_schema`.
  static let minimumVersion: Int32 = 3_033_000

  /// A version as people write it, such as `"3.40.1"`.
  static func name(ofVersion version: Int32) -> String {
    "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
  }
}

/// A value of a column or parameter.
enum SQLiteValue: Hashable {
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  case null

  init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ item: ItemID) { self = .integer(item.rawValue) }
  init(_ feed: FeedID) { self = .integer(feed.rawValue) }
  init(_ number: Int) { self = .integer(Int64(number)) }
  init(time: Double?) { self = time.map { .integer(Milliseconds.of($0)) } ?? .null }
}

/// Times of the library's file.
package enum Milliseconds {
  /// Milliseconds since 1970, within the years that a date can have.
  package static func of(_ seconds: Double) -> Int64 {
    guard !seconds.isNaN else { return 0 }
    // The range of dates of JavaScript, 100 million days.
    return Int64((min(max(seconds, -8.64e12), 8.64e12) * 1_000).rounded(.down))
  }

  static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1_000 }
}

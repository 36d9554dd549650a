/// The reason why no timeline can be read from a source. A partly damaged source throws no error:
/// its posts report the damage.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A place in the source.
  public enum Place: Hashable, Sendable {
    /// Line number, from 1.
    case line(Int)
    /// Byte offset, from 0.
    case byte(Int)
  }

  /// The kind of error, with its details.
  public enum Kind: Hashable, Sendable {
    /// No bytes, or only white space.
    case empty
    /// Not text; the offset of the byte that proves it.
    case binary(byte: Int)
    /// A web page, not a feed.
    case html
    /// XML whose root element is not that of a feed.
    case unknownXML(root: String)
    /// A JSON object that is not a timeline; the names of its first members.
    case unknownJSON(members: [String])
    /// Damaged, and no item can be read; the first damage.
    case nothingReadable(reason: String, place: Place)
    /// More bytes than ``FeedLimits/documentBytes``.
    case tooLarge(bytes: Int, limit: Int)
  }

  /// The kind of error.
  public let kind: Kind

  /// Creates an error of a kind.
  public init(_ kind: Kind) { self.kind = kind }

  /// One clause without the source's name, such as `"nothing readable, damaged in line 3: …"`.
  public var message: String {
    switch kind {
    case .empty: "empty"
    case .binary(let byte): "binary data, not a timeline (byte \(byte))"
    case .html: "an HTML page, not a feed"
    case .unknownXML(root: "opml"):
      "a list of feeds (OPML), which is read only from a file by its name"
    case .unknownXML(let root): "XML, but not a feed: its root element is <\(root)>"
    case .unknownJSON(let members):
      "JSON, but no timeline: an object of \(Self.list(members)); expected are "
        + FeedFormat.ofJSON.map(\.json.documents).joined(separator: ", ")
    case .nothingReadable(let reason, .line(let line)):
      "nothing readable, damaged in line \(line): \(reason)"
    case .nothingReadable(let reason, .byte(let byte)):
      "nothing readable, damaged at byte \(byte): \(reason)"
    case .tooLarge(let bytes, let limit):
      "\(bytes) bytes, more than the \(limit) that a document may have"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : names.map { "“\($0)”" }.joined(separator: ", ")
  }

  public var description: String { message }
}

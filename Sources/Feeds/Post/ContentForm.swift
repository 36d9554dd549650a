/// The form in which readers return the text of an item.
public enum ContentForm: Hashable, Sendable {
  /// Styled text with its pictures and files, to be shown or printed.
  case styled
  /// The source's own HTML or text, which ``PostWriter/jsonItem(_:)`` passes on. The post's body
  /// stays empty. Pictures in the HTML are read, films and frames are not.
  case source
}

/// The text of an item in its source's own form, with absolute addresses.
package enum SourceText: Hashable, Sendable {
  case html(String)
  case text(String)

  private var source: String {
    switch self {
    case .html(let text), .text(let text): text
    }
  }

  var byteCount: Int { source.utf8.count }
  var isEmpty: Bool { source.utf8.allSatisfy { $0 <= 32 } }
  var containsReplacementCharacter: Bool { source.unicodeScalars.contains("\u{FFFD}") }
}

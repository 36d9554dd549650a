/// What readers make of the text of an item.
public enum ContentForm: Hashable, Sendable {
  /// Styled text with its pictures and files, to be shown or printed.
  case styled
  /// The source's own HTML or text, to be handed on by ``PostWriter/jsonItem(_:)``: the post's body
  /// stays empty, and pictures that stand in the HTML are not read.
  case source
}

/// The text of an item as its source has it, with absolute addresses.
package enum SourceText: Hashable, Sendable {
  case html(String)
  case text(String)

  var byteCount: Int {
    switch self {
    case .html(let text), .text(let text): text.utf8.count
    }
  }

  var isEmpty: Bool {
    switch self {
    case .html(let text), .text(let text): text.utf8.allSatisfy { $0 <= 32 }
    }
  }

  var holdsReplacement: Bool {
    switch self {
    case .html(let text), .text(let text): text.unicodeScalars.contains("\u{FFFD}")
    }
  }
}

import Terminal
import TextLayout

/// A link of a document: its text and its address, both unchecked.
public struct Link: Hashable, Sendable {
  /// The text that the reader sees.
  public var text: String
  /// The address as in the document.
  public var address: String
  /// The type of the file that it leads to, such as `audio/mpeg`; empty if the document gives none.
  package var mediaType = ""

  /// A link; without a text, its address is shown instead.
  public init(_ address: String, text: String = "") {
    self.address = address
    self.text = text
  }

  /// A link to a file of a type.
  package init(_ address: String, text: String, mediaType: String) {
    self.init(address, text: text)
    self.mediaType = mediaType
  }

  /// The kind of program that opens it.
  package var kind: LinkKind { LinkKind(ofAddress: address, mediaType: mediaType) }

  /// The checked address, or why it is refused.
  ///
  /// - Complexity: O(n) in the address.
  var target: Result<LinkAddress, LinkAddress.Refusal> {
    Result { () throws(LinkAddress.Refusal) in try LinkAddress(address) }
  }

  /// The text in one line without blanks around it, so that it lines up with others.
  ///
  /// - Parameter limit: the characters of the text that are considered.
  package func words(atMost limit: Int) -> String {
    let line = Sanitizer.line(String(text.prefix(limit)))
    return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether the text is the address, so that the address need not be shown first.
  var showsItsAddress: Bool {
    guard case .success(let target) = target else { return false }
    return target.isNamed(by: text)
  }
}

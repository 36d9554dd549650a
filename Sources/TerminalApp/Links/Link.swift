import Terminal
import TextLayout

/// What a document leads to: its words and the address behind them, neither of them checked.
public struct Link: Hashable, Sendable {
  /// What the reader sees.
  public var text: String
  /// As the document has it.
  public var address: String

  /// A link; one without words of its own is called by its address.
  public init(_ address: String, text: String = "") {
    self.address = address
    self.text = text
  }

  /// Where it leads, or why it is not followed.
  ///
  /// - Complexity: O(n) in the address.
  var target: Result<LinkAddress, LinkAddress.Refusal> {
    Result { () throws(LinkAddress.Refusal) in try LinkAddress(address) }
  }

  /// Its words in one line, without blanks around them, which would put it out of line with others.
  ///
  /// - Parameter limit: characters of the document that are looked at.
  package func words(atMost limit: Int) -> String {
    let line = Sanitizer.line(String(text.prefix(limit)))
    return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether its words are its address, so that nobody has to be told where it leads.
  var saysWhereItLeads: Bool {
    guard case .success(let target) = target else { return false }
    return target.isNamed(by: text)
  }
}

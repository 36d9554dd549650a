import Terminal

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

  /// Whether its words are its address, so that nobody has to be told where it leads.
  var saysWhereItLeads: Bool {
    guard case .success(let target) = target else { return false }
    return target.isNamed(by: text)
  }
}

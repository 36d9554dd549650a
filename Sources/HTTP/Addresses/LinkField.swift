/// A link that a server sends in a `Link` header: `<https://a.example/?max_id=7>; rel="next"`
/// (RFC 8288).
package struct LinkField: Hashable, Sendable {
  /// As written, relative to the address of the response.
  package let target: String
  /// The relations of the target to the page, in lower case.
  package let relations: [String]
  /// The media type of the target in lower case, without parameters; empty if it is not given.
  package var type = ""
  /// The title of the target; empty if it is not given.
  package var title = ""
  /// Whether the link has an `anchor`: it then belongs to a page other than that of the response.
  package let concernsAnotherPage: Bool

  /// The links in the value of one field; unreadable parts are skipped.
  ///
  /// - Complexity: O(n) in the characters.
  package static func links(in value: String) -> [LinkField] {
    HeaderValue.parts(of: value[...], separator: ",").compactMap { part in
      let pieces = HeaderValue.parts(of: part, separator: ";")
      guard let open = pieces[0].firstIndex(of: "<"),
        let close = pieces[0][open...].firstIndex(of: ">")
      else { return nil }
      let parameters = pieces.dropFirst().map(HeaderValue.parameter)
      // Only the first `rel` counts.
      func value(_ name: String) -> String { parameters.first { $0.name == name }?.value ?? "" }
      return LinkField(
        target: String(pieces[0][open..<close].dropFirst()),
        relations: value("rel").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() },
        type: value("type").prefix { $0 != ";" }.lowercased().filter { $0 != " " },
        title: value("title"), concernsAnotherPage: parameters.contains { $0.name == "anchor" })
    }
  }
}

extension HTTPResponse {
  /// The absolute address that the server links to with `relation`; `nil` if it links to none.
  package func link(_ relation: String) -> String? {
    for value in headers.values(of: "Link") {
      for link in LinkField.links(in: value)
      where link.relations.contains(relation) && !link.concernsAnotherPage {
        return URLReference(link.target).resolved(against: URLReference(url)).description
      }
    }
    return nil
  }
}

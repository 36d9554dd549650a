/// The validators of an earlier answer (RFC 9110, 8.8), as its server wrote them.
///
/// They are sent only to the address of that answer, even along a chain of redirects: they mean
/// nothing at another address, which may have an entity with the same tag.
package struct HTTPValidators: Hashable, Sendable {
  /// The address of the answer, after redirects.
  package let address: String
  /// The value of `ETag`; `nil` if there was none.
  package let entityTag: String?
  /// The value of `Last-Modified`; `nil` if there was none.
  package let lastModified: String?

  package init(address: String, entityTag: String?, lastModified: String?) {
    self.address = address
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The validators of an answer; `nil` if it has none. A value as long as the limit of
  /// ``HTTPHeaders`` may have been cut off, and is not used.
  package init?(_ response: HTTPResponse) { self.init(response.headers, of: response.url) }

  /// The validators in the head of an answer from `address`, as above.
  init?(_ headers: HTTPHeaders, of address: String) {
    let value = { (name: String) in
      headers[name].flatMap {
        $0.isEmpty || $0.utf8.count >= HTTPHeaders.maximumValueLength ? nil : $0
      }
    }
    entityTag = value("ETag")
    lastModified = value("Last-Modified")
    self.address = address
    guard entityTag != nil || lastModified != nil else { return nil }
  }

  /// The fields of a conditional request for `url`; empty for another address than ``address``.
  ///
  /// - Complexity: O(n) in the bytes of both addresses.
  package func fields(for url: String) -> HTTPHeaders {
    var fields = HTTPHeaders()
    guard URLReference(url).normalized == URLReference(address).normalized else { return fields }
    if let entityTag { fields.append("If-None-Match", entityTag) }
    if let lastModified { fields.append("If-Modified-Since", lastModified) }
    return fields
  }
}

extension HTTPRequest {
  /// The fields to be sent: ``headers``, and those of the validators if they belong to the address.
  package var sentHeaders: HTTPHeaders {
    guard let validators else { return headers }
    var sent = headers
    for field in validators.fields(for: url).fields { sent.append(field.name, field.value) }
    return sent
  }
}

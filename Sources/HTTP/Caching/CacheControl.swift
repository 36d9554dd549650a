/// The `Cache-Control` directives for a private cache (RFC 9111, 5.2; RFC 5861). Of contradictory
/// directives the stricter one counts.
package struct CacheControl: Hashable, Sendable {
  /// Seconds for which the response is fresh; 0 if the number is unreadable.
  package private(set) var maxAge: Double?
  /// The response must not be stored.
  package private(set) var noStore = false
  /// It must not be used without revalidation.
  package private(set) var noCache = false
  /// It must never be used when stale.
  package private(set) var mustRevalidate = false
  /// Seconds of staleness in which it may be used while it is revalidated.
  package private(set) var staleWhileRevalidate: Double?
  /// Seconds of staleness in which it may be used if the server reports an error.
  package private(set) var staleIfError: Double?

  /// Upper bound of the numbers, in seconds: a hundred years.
  private static let longest = 3_155_760_000.0

  package init(_ headers: HTTPHeaders) {
    let fields = headers.values(of: "Cache-Control")
    // The form of HTTP/1.0, which counts only without the header above.
    if fields.isEmpty, let pragma = headers["Pragma"], pragma.lowercased().contains("no-cache") {
      noCache = true
    }
    for field in fields {
      for part in HeaderValue.parts(of: field[...], separator: ",") {
        take(HeaderValue.parameter(part))
      }
    }
  }

  private mutating func take(_ directive: (name: String, value: String?)) {
    func smaller(_ known: Double?) -> Double {
      min(known ?? Self.longest, Self.seconds(directive.value))
    }
    switch directive.name {
    case "max-age": maxAge = smaller(maxAge)
    case "no-store": noStore = true
    // If it names fields, it concerns only these; the distinction is not worth making.
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "stale-while-revalidate": staleWhileRevalidate = smaller(staleWhileRevalidate)
    case "stale-if-error": staleIfError = smaller(staleIfError)
    // Directives for shared caches, and unknown ones.
    default: break
    }
  }

  private static func seconds(_ text: String?) -> Double {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return 0
    }
    return min(Double(text) ?? longest, longest)
  }
}

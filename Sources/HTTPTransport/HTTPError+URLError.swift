import Foundation
import FoundationNetworking
import HTTP

extension HTTPError {
  /// What the session's error means, about the host of `url`.
  init(_ error: any Error, url: String) {
    let parsed = URL(string: url)
    let name = parsed?.host ?? url
    let host = parsed?.port.map { "\(name):\($0)" } ?? name
    guard let urlError = error as? URLError else {
      self = .unreachable(host: host, reason: Self.clause(error.localizedDescription))
      return
    }
    switch urlError.code {
    case .cancelled:
      self = .cancelled
    case .timedOut:
      self = .unreachable(host: host, reason: "no connection in time")
    case .cannotFindHost, .dnsLookupFailed:
      self = .unreachable(host: host, reason: "no such host")
    case .cannotConnectToHost:
      self = .unreachable(host: host, reason: "connection refused")
    case .notConnectedToInternet:
      self = .unreachable(host: host, reason: "no network")
    case .networkConnectionLost:
      self = .unreachable(host: host, reason: "connection lost")
    case .secureConnectionFailed:
      self = .tls(host: host, reason: "handshake failed")
    case .serverCertificateHasBadDate:
      self = .tls(host: host, reason: "its certificate has expired or is not valid yet")
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
      self = .tls(host: host, reason: "its certificate is not trusted")
    case .serverCertificateNotYetValid:
      self = .tls(host: host, reason: "its certificate is not valid yet")
    case .clientCertificateRejected, .clientCertificateRequired:
      self = .tls(host: host, reason: "it asks for a certificate")
    case .httpTooManyRedirects:
      self = .malformed(reason: "redirected without end")
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData,
      .cannotDecodeContentData:
      self = .malformed(reason: Self.clause(urlError.localizedDescription))
    case .badURL:
      self = .invalidURL(url)
    case .unsupportedURL:
      // The scheme was checked before, so it is the answer that names an unknown protocol.
      self = .malformed(reason: "it does not begin with HTTP")
    default:
      let text = Self.clause(urlError.localizedDescription)
      if parsed?.scheme?.lowercased() == "https", text.contains("SSL") || text.contains("TLS") {
        // The library's own chain of reasons, the last of which is the one in words.
        let last = text.split(separator: ":").last ?? Substring(text)
        self = .tls(host: host, reason: String(last.drop { $0 == " " }))
      } else {
        self = .unreachable(host: host, reason: text)
      }
    }
  }

  /// One line of at most 120 characters, without a full stop.
  private static func clause(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(120)
    return line.hasSuffix(".") ? String(line.dropLast()) : String(line)
  }
}

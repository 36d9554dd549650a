import CCurl
import HTTP
import System

extension HTTPError {
  /// The error for a failed transfer.
  ///
  /// - Parameters:
  ///   - host: the host of the connection, with the port if one was given.
  ///   - text: libcurl's message.
  ///   - systemCode: the `errno` of the connection that failed, else 0.
  init(_ code: CURLcode, host: String, text: String, systemCode: Int) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      self = .unreachable(host: host, reason: "no such host")
    case CURLE_COULDNT_RESOLVE_PROXY:
      self = .unreachable(host: host, reason: "no such proxy")
    case CURLE_COULDNT_CONNECT:
      self = .unreachable(host: host, reason: Self.connectionReason(systemCode))
    case CURLE_OPERATION_TIMEDOUT:
      self = .unreachable(host: host, reason: "no connection in time")
    case CURLE_GOT_NOTHING:
      self = .unreachable(host: host, reason: "it closed the connection without an answer")
    // The message says "chunked-encoding" or, in newer libraries, "chunk hex-length"; the code is
    // that of a lost connection.
    case CURLE_RECV_ERROR where text.lowercased().contains("chunk"):
      self = .malformed(reason: "its chunks cannot be read")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      self = .unreachable(host: host, reason: "connection lost")
    case CURLE_SSL_CONNECT_ERROR:
      self = .tls(host: host, reason: "handshake failed")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      self = .tls(host: host, reason: Self.certificateReason(text))
    case CURLE_SSL_CERTPROBLEM:
      self = .tls(host: host, reason: "it asks for a certificate")
    case CURLE_SSL_CACERT_BADFILE:
      self = .tls(host: host, reason: "the trusted certificates cannot be read")
    case CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE:
      self = .tls(host: host, reason: Self.clause(text))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      // Schemes were checked before, so the response is in an unknown protocol.
      self = .malformed(reason: "it begins with no status line of HTTP")
    case CURLE_BAD_CONTENT_ENCODING:
      self = .malformed(reason: "its compression cannot be read")
    case CURLE_HTTP2, CURLE_HTTP2_STREAM:
      // A broken HTTP/2 connection, or a stream that the server ended.
      self = .unreachable(host: host, reason: Self.clause(text))
    case CURLE_PARTIAL_FILE:
      self = .malformed(reason: Self.clause(text))
    default:
      self = .unreachable(host: host, reason: Self.clause(text))
    }
  }

  private static func connectionReason(_ systemCode: Int) -> String {
    switch Int32(truncatingIfNeeded: systemCode) {
    case ECONNREFUSED: "connection refused"
    case ENETUNREACH, ENETDOWN: "no network"
    case EHOSTUNREACH, EHOSTDOWN: "no route to it"
    case ETIMEDOUT: "no connection in time"
    case 0: "no connection"
    case let code: clause(String(cString: strerror(code)).lowercased())
    }
  }

  /// libcurl distinguishes these only in its message, which is that of OpenSSL or GnuTLS.
  private static func certificateReason(_ text: String) -> String {
    let lower = text.lowercased()
    func mentions(_ words: String...) -> Bool { words.contains { lower.contains($0) } }
    if mentions("expired", "expiration date has passed", "not yet valid", "activation date") {
      return "its certificate has expired or is not valid yet"
    }
    if mentions("does not match", "no alternative certificate subject name", "mismatch") {
      return "its certificate is for another host"
    }
    if mentions("revoked") { return "its certificate has been revoked" }
    return "its certificate is not trusted"
  }

  /// One line of at most 120 characters, without a full stop.
  private static func clause(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(120)
    return line.hasSuffix(".") ? String(line.dropLast()) : String(line)
  }
}

/// Limits the requests to each host to what a server tolerates.
///
/// Mastodon refuses clients that send 300 requests in five minutes; a fifth of that is left to the
/// user's other programs.
struct RequestRate: Sendable {
  /// The maximum number of requests in ``window`` seconds.
  static let maximumCount = 240
  static let window = 300.0

  private struct Host {
    /// The times of its requests in the window, in order.
    var requests: [Double] = []
    /// The time before which the host wants no requests.
    var blockedUntil = -Double.infinity
  }

  private var hosts: [String: Host] = [:]

  /// The seconds until `host` may be asked; 0 if it may be asked now.
  /// - Complexity: O(requests in the window)
  mutating func delay(of host: String, now: Double) -> Double {
    guard var known = hosts[host] else { return 0 }
    known.requests.removeAll { $0 <= now - Self.window }
    hosts[host] = known
    var next = known.blockedUntil
    if known.requests.count >= Self.maximumCount {
      next = max(next, known.requests[known.requests.count - Self.maximumCount] + Self.window)
    }
    return max(0, next - now)
  }

  mutating func noteRequest(of host: String, now: Double) {
    hosts[host, default: Host()].requests.append(now)
  }

  /// Blocks requests to `host` until a time that it has named.
  mutating func block(_ host: String, until time: Double) {
    hosts[host, default: Host()].blockedUntil = time
  }
}

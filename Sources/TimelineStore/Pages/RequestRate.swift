/// When a host may be asked again, so that no server is asked more often than it bears.
///
/// Mastodon refuses whoever asks 300 times in five minutes; a fifth of that is left to whatever
/// else the reader has open.
struct RequestRate: Sendable {
  /// Requests in ``window`` seconds.
  static let maximumCount = 240
  static let window = 300.0

  private struct Host {
    /// When it was asked, in the window, in order.
    var requests: [Double] = []
    /// It wants to be left alone until then.
    var blockedUntil = -Double.infinity
  }

  private var hosts: [String: Host] = [:]

  /// Seconds until `host` may be asked; 0 where that is now.
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

  /// The host asks not to be asked until then.
  mutating func block(_ host: String, until time: Double) {
    hosts[host, default: Host()].blockedUntil = time
  }
}

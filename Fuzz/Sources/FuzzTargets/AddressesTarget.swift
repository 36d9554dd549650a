import Glibc

@testable import Feeds
@testable import HTTP

extension FuzzTarget {
  /// Addresses and what they are relative to, the two separated by a zero byte.
  static let addresses = FuzzTarget(
    "addresses", modules: ["HTTP", "Feeds"], longestInput: 256, briefRuns: 20000,
    seeds: addressSeeds.map { Array($0.utf8) }
  ) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    let base =
      parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "http://a.example/b/c?d"
    let reference = URLReference(text)
    let again = URLReference(reference.description)
    try require(again == reference, "\(text.debugDescription) reads back as \(again)")
    let resolved = reference.resolved(against: URLReference(base))
    // Where it names no path it has that of the base, as that has it.
    if resolved.scheme != nil, !reference.path.isEmpty {
      try require(
        resolved.resolved(against: URLReference(base)) == resolved,
        "\(resolved) resolves to something else")
    }
    if resolved.isWeb {
      let normalized = resolved.normalized
      try require(normalized.normalized == normalized, "\(normalized) is not normal")
      try require(normalized.isWeb, "\(normalized) is no longer an address")
    }
    let set = reference.setting(parameter: "cursor", to: text)
    try require(
      URLReference(set.description).query == set.query, "the parameter does not read back")
    try checkFeedAddress(text, base: base)
    try checkUser(in: text)
    try checkNumbers(text)
  }

  /// Names and passwords are taken out at once and whole.
  private static func checkUser(in text: String) throws(Finding) {
    let (address, _) = URLReference.separatingUserInfo(text)
    let (again, user) = URLReference.separatingUserInfo(address)
    try require(user == nil && again == address, "\(address.debugDescription) still names somebody")
    let typed = HTTPAddress(text)
    try require(typed.url == address, "\(typed.url) is shown, not \(address)")
    if let problem = typed.problem {
      try Unsafe.check(problem, "a problem", allowsLineBreaks: false)
    } else {
      try require(URLReference(typed.url).isWeb, "\(typed.url) is no address, and no problem")
    }
  }

  /// Hosts that are numbers are those that the system takes them for.
  private static func checkNumbers(_ text: String) throws(Finding) {
    if let address = IPAddress(host: text) {
      try require(IPAddress(address.description) == address, "\(address) reads back otherwise")
      _ = address.kind.text
    }
    guard text.utf8.allSatisfy({ "0123456789abcdefxABCDEFX.:".utf8.contains($0) }) else { return }
    var version4 = in_addr()
    if !text.contains(":"), inet_aton(text, &version4) != 0 {
      let bytes = withUnsafeBytes(of: version4) { Array($0) }
      try require(IPAddress(text)?.bytes == bytes, "\(text) is \(bytes) to the system")
    }
    var version6 = in6_addr()
    if inet_pton(AF_INET6, text, &version6) == 1 {
      let bytes = withUnsafeBytes(of: version6) { Array($0) }
      try require(IPAddress(text)?.bytes == bytes, "\(text) is \(bytes) to the system")
    }
  }

  private static func checkFeedAddress(_ text: String, base: String) throws(Finding) {
    for base in [nil, base] {
      guard let address = FeedAddress.resolve(text, base: base) else { continue }
      try Unsafe.check(address, "an address", allowsLineBreaks: false)
      let scheme = URLReference(address).scheme
      try require(
        !["javascript", "vbscript", "data", "about", "blob"].contains(scheme),
        "\(address.debugDescription) is refused by itself")
      _ = (FeedAddress.host(of: address), FeedAddress.path(of: address))
      _ = FeedAddress.pathExtension(of: address)
    }
    if let address = FeedAddress.lenient(text, base: nil) {
      try Unsafe.check(address, "an address", allowsLineBreaks: false)
      try require(FeedAddress.lenient(address, base: nil) == address, "\(address) changes")
    }
  }

  private static let addressSeeds = [
    "https://user:pass@tideline.example:443/a/./b/../c;p?q=1&r#f", "//sea.example/x", "../..//a",
    "?q",
    "#f", "http:", "http://[::ffff:127.0.0.1]:80/", "HTTP://2130706433/", "http://0x7f.1/ /\u{e9}",
    "a:b:c", "://", "javascript:x\0https://a.example/", "..\0http://a.example", "", "/a?b\0data:x",
    "127.1", "0x7f.0.0.1", "0177.1", "2130706433", "::1", "::ffff:1.2.3.4", "fe80::1:2",
    "1:2:3:4:5:6:7:8",
    "http:a@b", "https://u:p@w@h:x/@", "//u:pw/@h", "LOCALHOST.", "http://%31%32%37.1",
    "\u{FF11}27.1",
    "%zz%2e%2E/%00", "http://a.example@b.example:99999/\\",
  ]
}

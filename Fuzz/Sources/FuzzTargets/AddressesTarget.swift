import HTTP

@testable import Feeds

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
    try require(
      resolved.resolved(against: URLReference(base)) == resolved
        || resolved.scheme == nil, "\(resolved) resolves to something else")
    // A host of several ports is none.
    let colons = resolved.host?.count { $0 == ":" } ?? 0
    if resolved.isWeb, colons < 2 {
      let normalized = resolved.normalized
      try require(normalized.normalized == normalized, "\(normalized) is not normal")
      try require(normalized.isWeb, "\(normalized) is no longer an address")
    }
    let set = reference.setting(parameter: "cursor", to: text)
    try require(
      URLReference(set.description).query == set.query, "the parameter does not read back")
    try checkFeedAddress(text, base: base)
  }

  private static func checkFeedAddress(_ text: String, base: String) throws(Finding) {
    for base in [nil, base] {
      guard let address = WebAddress.resolve(text, base: base) else { continue }
      try Unsafe.check(address, "an address", allowsLineBreaks: false)
      let scheme = WebAddress.scheme(of: address)
      try require(
        !["javascript", "vbscript", "data", "about", "blob"].contains(scheme),
        "\(address.debugDescription) is refused by itself")
      _ = (WebAddress.host(of: address), WebAddress.path(of: address))
      _ = WebAddress.looksLikePicture(address)
    }
    if let address = WebAddress.lenient(text, base: nil) {
      try Unsafe.check(address, "an address", allowsLineBreaks: false)
      try require(WebAddress.lenient(address, base: nil) == address, "\(address) changes")
    }
  }

  private static let addressSeeds = [
    "https://user:pass@tideline.example:443/a/./b/../c;p?q=1&r#f", "//sea.example/x", "../..//a",
    "?q",
    "#f", "http:", "http://[::ffff:127.0.0.1]:80/", "HTTP://2130706433/", "http://0x7f.1/ /\u{e9}",
    "a:b:c", "://", "javascript:x\0https://a.example/", "..\0http://a.example", "", "/a?b\0data:x",
    "%zz%2e%2E/%00", "http://a.example@b.example:99999/\\",
  ]
}

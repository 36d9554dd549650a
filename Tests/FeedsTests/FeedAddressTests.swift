import HTTP
import TestSupport
import Testing

@testable import Feeds

@Suite struct FeedAddressTests {
  /// Most addresses are recognized by their beginning alone.
  @Test(arguments: [1, 2, 3]) func aBeginningThatSufficesAgreesWithTheWholeAddress(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let beginnings = ["http://", "https://", "HTTP://", "http:", "ftp://", ""]
    let parts = [
      "http", ":", "//", "/", "a", "tides.example", ":80", ":443", "@", "?", "#", " ", "-", "é",
      "[::1]", "\\", "%20",
    ]
    var webs = 0
    for _ in 0..<4_000 {
      let beginning = beginnings.randomElement(using: &random) ?? ""
      let rest = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }
      let address = beginning + rest.joined()
      let isWeb = FeedAddress.isWeb(address)
      webs += isWeb ? 1 : 0
      #expect(isWeb == URLReference(address).isWeb, "\(address)")
    }
    #expect(webs > 100)
  }
}

import HTTP

/// Finds the feeds of web pages that stand among merged sources. Implemented by the program.
package protocol PageFeedFinder: Sendable {
  /// The first feed that the page at an address names and that can be read; `nil` if there is none.
  func feed(ofPageAt link: HTTPLink) async -> PageFeed?
  /// The first feed that the bytes of a page in a file name and that can be read.
  func feed(ofPage bytes: [UInt8], named path: String) async -> PageFeed?
}

/// The feed that a web page names.
package struct PageFeed: Hashable, Sendable {
  let address: String
  /// How far its address may lead.
  let reach: RequestScope

  package init(address: String, reach: RequestScope) {
    (self.address, self.reach) = (address, reach)
  }
}

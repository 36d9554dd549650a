/// Single values of JSON documents that are no timelines.
package enum JSONLookup {
  /// The string or number in a member of the document's object; `nil` if there is none or it is
  /// empty, or if the document cannot be read or is longer than ``FeedLimits/itemBytes``.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func text(_ name: String, in document: [UInt8]) -> String? {
    guard document.count <= FeedLimits.itemBytes else { return nil }
    return JSONFields(JSONParser.repairedValue(of: document))?.words(name)
  }
}

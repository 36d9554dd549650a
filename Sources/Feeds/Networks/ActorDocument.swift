/// A document of ActivityPub that describes one account, such as the `actor.json` of an archive.
package enum ActorDocument {
  /// The account in `bytes`; `nil` if they are no such document. The address of its picture stays
  /// relative.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func author(in bytes: [UInt8]) -> Post.Author? {
    guard let value = JSONParser.repairedValue(of: bytes),
      let fields = JSONFields(value), fields.words("preferredUsername") != nil
    else { return nil }
    let item = JSONItemContext(base: nil, offset: 0, notes: ItemDiagnostics(), form: .styled)
    return ActivityReader(item: item).owner(value)
  }
}

/// A document of ActivityPub that tells of one account, such as the `actor.json` of an archive.
package enum ActorDocument {
  /// Whose account it is; nil where it is no such document. Its picture's address is as it is
  /// written.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func author(in bytes: [UInt8]) -> Post.Author? {
    guard let value = JSONParser.repairedValue(of: bytes),
      let fields = JSONFields(value), fields.words("preferredUsername") != nil
    else { return nil }
    return ActivityReader(base: nil, offset: 0, notes: ItemNotes(), form: .styled).owner(value)
  }
}

/// The marks that a row shows beside its post.
package struct PostMarks: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let unread = PostMarks(rawValue: 1)
  package static let saved = PostMarks(rawValue: 2)
  /// First seen after the last visit at the top of the timeline.
  package static let new = PostMarks(rawValue: 4)
}

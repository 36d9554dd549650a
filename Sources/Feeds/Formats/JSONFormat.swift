/// A format of items in JSON: the signs of its items, the lists of its documents, the readers of
/// both, and the texts that these add.
///
/// Each format is one value, beside its reader; ``FeedFormat`` lists all of them.
struct JSONFormat: Sendable {
  /// A member's value that is a sign of the format.
  enum Sign: Sendable {
    case any
    /// An object, which counts as a number of signs.
    case object(signs: Int = 1)
    /// A string that meets a condition; its beginning may be all that is known.
    case string(@Sendable (String) -> Bool = { _ in true })

    /// The number of signs in a value.
    ///
    /// - Parameter text: the value if it is a string; its beginning suffices.
    func count(text: String?, isObject: Bool) -> Int {
      switch self {
      case .any: 1
      case .object(let signs): isObject ? signs : 0
      case .string(let fits): text.map(fits) ?? false ? 1 : 0
      }
    }
  }

  /// Where the items of a document are.
  enum Items: Sendable {
    /// In the first list of that name.
    case list(String)
    /// In all lists of these names. An object without any is an item itself.
    case lists([String])
  }

  /// A member of a document in which posts are nested.
  struct Thread: Sendable {
    let name: String
    /// The ranges of the posts in the member's value, in reading order.
    let posts: @Sendable (UnsafeBufferPointer<UInt8>, Range<Int>) -> [Range<Int>]
  }

  /// What messages call its documents, such as `"feeds and threads of Bluesky"`.
  let documents: String

  /// Members of items that are signs of the format.
  let signs: KeyValuePairs<String, Sign>
  /// The number of signs by which an item is recognized.
  var minimumSigns = 1
  /// Values of `type`, one of which an item must have; empty if it needs none.
  var types: [String] = []
  /// Whether an object with this member is a document in the format.
  let isDocument: @Sendable (JSONDocumentMember) -> Bool

  let items: Items
  /// The names of objects, each within the one before, whose members belong to the document.
  var path: [String] = []
  var thread: Thread?

  /// The metadata of a document; the string is its own address.
  var head: @Sendable (DocumentHead, String?) -> FeedHead = { _, base in
    FeedHead(info: TimelineInfo(), base: base)
  }
  /// Makes the post of an item; `nil` if the value is none.
  typealias PostReader = @Sendable (JSONValue, JSONItemContext) -> Post?
  let post: PostReader

  /// All texts that its reader adds to posts.
  let generatedTexts: [String]
}

/// What readers know of an item besides its value.
struct JSONItemContext {
  /// The address that relative addresses are resolved against.
  let base: String?
  /// The item's offset in the source.
  let offset: Int
  let notes: ItemDiagnostics
  let form: ContentForm

  /// The fields of an object, whose problems are those of the item; `nil` for any other value.
  func fields(_ value: JSONValue?) -> JSONFields? { JSONFields(value, notes: notes) }
}

/// A member of an object that may be a document of posts.
struct JSONDocumentMember {
  let name: String
  /// The value if it is a string; its beginning suffices.
  let text: String?
  /// The names of the members before it.
  let names: Set<String>
  /// A scanner at the value.
  let value: JSONScanner

  var isObject: Bool { begins(with: "{") }
  var isList: Bool { begins(with: "[") }

  var isEmptyList: Bool {
    var scanner = value
    return scanner.accept("[") && scanner.peek() == UInt8(ascii: "]")
  }

  private func begins(with bracket: Unicode.Scalar) -> Bool {
    var scanner = value
    return scanner.accept(bracket)
  }

  /// The format of the list's items; `nil` if it is no list, or unclear.
  ///
  /// - Complexity: O(n) in the bytes of the first items.
  var itemFormat: FeedFormat? {
    var scanner = value
    return scanner.accept("[") ? JSONFormatEvidence.format(ofItems: &scanner) : nil
  }

  /// The format of the object; `nil` if the member does not tell. Networks come before JSON Feed,
  /// which takes items of any kind.
  var documentFormat: FeedFormat? {
    FeedFormat.ofJSON.last { $0.json.isDocument(self) }
  }
}

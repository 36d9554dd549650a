/// Builds elements as a parser meets their tags: the head of a feed as one tree, and each item as a
/// tree of its own.
///
/// 1. At most one item is open, until it is taken. Errors belong to it, and to the head if there is
///    none.
/// 2. An item may be taken before its end tag. The parser still counts its elements as open, so
///    their places on the stack become `nil` and their late ends have no effect.
/// 3. Text and elements of an item, and of the head before an item, are bounded; the rest is left
///    out, and the item or `isHeadCut` says so.
struct FeedTreeBuilder {
  typealias Fault = XMLFeedParser.Fault

  /// An item and its first error.
  typealias Item = (element: FeedElement, fault: Fault?)

  /// The root element with everything except the items.
  private(set) var root: FeedElement?
  /// The first error outside any item.
  private(set) var fault: Fault?
  /// Whether elements or text outside of items were left out because of a limit.
  private(set) var isHeadCut = false

  private var open: [FeedElement?] = []
  private var item: (depth: Int, fault: Fault?)?
  private var textBytes = 0
  private var elementCount = 0
  /// Text collected so far; the parser splits long text into pieces.
  private var pendingText: [UInt8] = []

  /// Adds an error to the open item or to the head; only the first of each is kept.
  mutating func note(_ new: Fault) {
    if item == nil {
      fault = fault ?? new
    } else if item?.fault == nil {
      item?.fault = new
    }
  }

  // MARK: Elements

  /// Whether an element of that name begins an item: `item` and `entry` do at any depth, unless
  /// they belong to another vocabulary or to the text of a post.
  ///
  /// - Complexity: O(n) in the open elements for those names, else O(1).
  func isItem(_ name: String, in space: FeedNamespace) -> Bool {
    guard
      name == "item" && space == .plain || name == "entry" && (space == .atom || space == .plain)
    else { return false }
    return !open.contains { $0?.space == .xhtml }
  }

  /// The vocabulary of the item for one of its parts that names another vocabulary for its content:
  /// `<description xmlns="http://www.w3.org/1999/xhtml">`. `nil` for all other elements.
  func itemNamespace(of name: String, in space: FeedNamespace) -> FeedNamespace? {
    guard space == .xhtml || space == .other, item?.depth == open.count - 1,
      Self.itemPartNames.contains(name)
    else { return nil }
    return open.last.flatMap { $0?.space }
  }

  private static let itemPartNames: Set<String> = [
    "author", "category", "content", "date", "description", "enclosure", "guid", "id", "link",
    "pubdate", "published", "summary", "title", "updated",
  ]

  /// Opens an element. The item before must have been taken if it is one.
  ///
  /// - Complexity: O(n) in the attributes, apart from the text that is added before it.
  mutating func begin(
    _ name: String, in space: FeedNamespace, isItem: Bool, _ attributes: [FeedElement.Attribute]
  ) {
    flushText()
    if isItem { beginItem() }
    elementCount += 1
    guard elementCount <= FeedLimits.itemElements else {
      noteOverflow("more than \(FeedLimits.itemElements) elements: the rest is left out")
      open.append(nil)
      return
    }
    for attribute in attributes { textBytes += attribute.value.utf8.count }
    let element = FeedElement(space: space, name: name, attributes: attributes)
    if root == nil {
      root = element
    } else if item?.depth != open.count, let parent = open.last ?? nil {
      parent.add(.element(element))
    }
    open.append(element)
  }

  /// Whether the innermost element is the open item.
  var isAtItem: Bool { item?.depth == open.count - 1 }

  /// Closes the innermost element.
  mutating func end() {
    flushText()
    if !open.isEmpty { open.removeLast() }
  }

  private mutating func beginItem() {
    item = (open.count, nil)
    textBytes = 0
    elementCount = 0
  }

  /// Takes the open item out of the tree; `nil` if there is none.
  ///
  /// - Complexity: O(n) in the open elements.
  mutating func takeItem() -> Item? {
    flushText()
    guard let (depth, fault) = item, let element = open[depth] else { return nil }
    for index in depth..<open.count { open[index] = nil }
    item = nil
    textBytes = 0
    elementCount = 0
    return (element, fault)
  }

  // MARK: Text

  /// Adds text to the innermost element.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard open.last ?? nil != nil else { return }
    textBytes += bytes.count
    guard textBytes <= FeedLimits.itemBytes else {
      noteOverflow("longer than \(FeedLimits.itemBytes) bytes: only its beginning is shown")
      return
    }
    pendingText.append(contentsOf: bytes)
  }

  /// Adds the characters collected so far to the innermost element.
  private mutating func flushText() {
    guard !pendingText.isEmpty else { return }
    if let element = open.last ?? nil {
      element.add(.text(String(decoding: pendingText, as: UTF8.self)))
    }
    pendingText.removeAll(keepingCapacity: true)
  }

  private mutating func noteOverflow(_ message: String) {
    if item == nil {
      isHeadCut = true
    } else {
      note(Fault(line: 0, message: message))
    }
  }
}

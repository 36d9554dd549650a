import TestSupport
import Testing

@testable import Feeds

/// The head of a feed and its items are built as the tree that its tags describe.
@Suite struct FeedTreeBuilderTests {
  /// A tree as it is written down.
  private struct Node {
    var name: String
    var text = ""
    var children: [Node] = []

    /// Each element with its text and its children, without the items among them.
    var outline: String {
      "\(name)(\(text)\(children.filter { $0.name != "item" }.map(\.outline).joined()))"
    }

    var items: [Node] { children.flatMap { ($0.name == "item" ? [$0] : []) + $0.items } }

    static func random(_ depth: Int, in item: Bool, _ generator: inout SeededGenerator) -> Node {
      let names = item ? ["title", "link", "p"] : ["channel", "title", "item"]
      var node = Node(name: names.randomElement(using: &generator) ?? "p")
      let words = ["", "a", "tide", "é "]
      node.text = words.randomElement(using: &generator) ?? ""
      for _ in 0..<(depth > 0 ? Int.random(in: 0...3, using: &generator) : 0) {
        node.children.append(random(depth - 1, in: item || node.name == "item", &generator))
      }
      return node
    }
  }

  private static func outline(_ element: FeedElement) -> String {
    let children = element.children.map { child in
      switch child {
      case .text(let text): text
      case .element(let element): outline(element)
      }
    }
    return "\(element.name)(\(children.joined()))"
  }

  private static func begin(_ name: String, in tree: inout FeedTreeBuilder) {
    tree.begin(name, in: .plain, isItem: tree.isItem(name, in: .plain), [])
  }

  private static func add(_ text: String, to tree: inout FeedTreeBuilder) {
    Array(text.utf8).withUnsafeBufferPointer { tree.add($0) }
  }

  /// Passes a node's tags and text on as a parser does, and collects the items.
  private static func write(
    _ node: Node, to tree: inout FeedTreeBuilder, _ items: inout [FeedElement]
  ) {
    begin(node.name, in: &tree)
    // The parser splits text, even within a character.
    let bytes = Array(node.text.utf8)
    bytes[..<(bytes.count / 2)].withUnsafeBufferPointer { tree.add($0) }
    bytes[(bytes.count / 2)...].withUnsafeBufferPointer { tree.add($0) }
    for child in node.children { write(child, to: &tree, &items) }
    if tree.isAtItem, let item = tree.takeItem() { items.append(item.element) }
    tree.end()
  }

  @Test(arguments: Rounds.seeds(4)) func treesAreThoseOfTheTags(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var node = Node.random(5, in: false, &generator)
      node.name = "rss"
      var tree = FeedTreeBuilder()
      var items: [FeedElement] = []
      Self.write(node, to: &tree, &items)
      #expect(tree.root.map(Self.outline) == node.outline, "seed \(seed)")
      #expect(items.map(Self.outline) == node.items.map(\.outline), "seed \(seed)")
      #expect(tree.fault == nil && !tree.isHeadCut)
    }
  }

  @Test func anItemTakenEarlyIgnoresItsLateEnds() throws {
    var tree = FeedTreeBuilder()
    for name in ["rss", "channel", "item", "title"] { Self.begin(name, in: &tree) }
    Self.add("High water", to: &tree)
    #expect(!tree.isAtItem)
    let taken = tree.takeItem()
    let first = try #require(taken)
    #expect(Self.outline(first.element) == "item(title(High water))")
    Self.begin("item", in: &tree)
    #expect(tree.isAtItem)
    #expect(tree.takeItem()?.element.name == "item")
    tree.end()
    // The ends of the first item's title and of itself.
    Self.add("lost", to: &tree)
    tree.end()
    tree.end()
    Self.begin("title", in: &tree)
    tree.end()
    #expect(tree.takeItem() == nil)
    #expect(tree.root.map(Self.outline) == "rss(channel(title()))")
  }

  @Test func theFirstErrorBelongsToTheOpenItemOrTheHead() throws {
    var tree = FeedTreeBuilder()
    Self.begin("rss", in: &tree)
    tree.note(XMLFeedParser.Fault(line: 1, message: "of the head"))
    Self.begin("item", in: &tree)
    tree.note(XMLFeedParser.Fault(line: 2, message: "of the item"))
    tree.note(XMLFeedParser.Fault(line: 3, message: "second"))
    #expect(tree.takeItem()?.fault?.message == "of the item")
    tree.end()
    Self.begin("item", in: &tree)
    let second = tree.takeItem()
    #expect(try #require(second).fault == nil)
    tree.note(XMLFeedParser.Fault(line: 4, message: "late"))
    #expect(tree.fault?.line == 1)
  }

  @Test func anItemOrAHeadIsCutAtItsLimits() throws {
    var tree = FeedTreeBuilder()
    Self.begin("rss", in: &tree)
    Self.begin("item", in: &tree)
    for _ in 0..<FeedLimits.itemElements {
      Self.begin("p", in: &tree)
      tree.end()
    }
    let full = tree.takeItem()
    tree.end()
    let item = try #require(full)
    #expect(item.element.children.count == FeedLimits.itemElements - 1)
    #expect(item.fault?.message == "more than 50000 elements: the rest is left out")
    #expect(!tree.isHeadCut)
    let piece = [UInt8](repeating: 0x61, count: FeedLimits.itemBytes)
    Self.begin("item", in: &tree)
    piece.withUnsafeBufferPointer { tree.add($0) }
    Self.add("b", to: &tree)
    let cut = tree.takeItem()
    tree.end()
    let long = try #require(cut)
    #expect(long.element.text.utf8.count == FeedLimits.itemBytes)
    #expect(long.fault?.message.hasPrefix("longer than") == true)
    piece.withUnsafeBufferPointer { tree.add($0) }
    #expect(!tree.isHeadCut)
    Self.add("b", to: &tree)
    #expect(tree.isHeadCut && tree.fault == nil)
  }

  @Test func partsOfAnItemKeepItsVocabulary() {
    var tree = FeedTreeBuilder()
    Self.begin("rss", in: &tree)
    #expect(tree.itemNamespace(of: "title", in: .xhtml) == nil)
    Self.begin("item", in: &tree)
    #expect(tree.itemNamespace(of: "title", in: .xhtml) == .plain)
    #expect(tree.itemNamespace(of: "title", in: .media) == nil)
    #expect(tree.itemNamespace(of: "div", in: .xhtml) == nil)
    tree.begin("div", in: .xhtml, isItem: false, [])
    #expect(!tree.isItem("item", in: .plain) && !tree.isItem("entry", in: .atom))
  }
}

import TestSupport
import Testing

@testable import Library

@Suite struct ItemIdentityTests {
  private func item(
    _ guid: String?, _ link: String? = nil, _ title: String = "", _ published: Double? = nil,
    hash: UInt64 = 0
  ) -> NewItem {
    NewItem(
      guid: guid, link: link, title: title, published: published, body: .line([]), hash: hash)
  }

  private func uids(_ items: NewItem...) -> [[UInt8]?] {
    ItemIdentity.keys(of: items).map { $0?.uid }
  }

  /// Values that are in libraries: another one makes all items new.
  @Test func keysAreThoseOfVersionOne() {
    let uids = uids(
      item("a"), item(nil, "b"), item(nil, nil, "c", 1.5), item(nil, nil, "", nil, hash: 7))
    let digits = uids.map { uid in
      uid?.map { String($0, radix: 16) }.map { $0.count < 2 ? "0" + $0 : $0 }
        .joined()
    }
    #expect(
      digits == [
        "23588119bd667d488d2b405008d18d05", "9def89e4fd367540eecab400b1647ded",
        "6fe05fbff18d4c46051e05e9b7b01eb3", "22be6cdb197b776c0b0519802827387d",
      ])
  }

  @Test func theGuidIsEnough() {
    #expect(uids(item("a", "x", "one", 1, hash: 1)) == uids(item("a", "y", "two", 2, hash: 2)))
    #expect(uids(item("a")) != uids(item("b")))
  }

  @Test func withoutAGuidTheLinkCounts() {
    #expect(uids(item(nil, "x", "one")) == uids(item("", "x", "two")))
    #expect(uids(item(nil, "x")) != uids(item("x")))
  }

  @Test func withoutALinkTitleAndDateCount() {
    #expect(uids(item(nil, nil, "t", 1, hash: 1)) == uids(item(nil, "", "t", 1, hash: 2)))
    #expect(uids(item(nil, nil, "t", 1)) != uids(item(nil, nil, "t", 2)))
  }

  @Test func withoutAnythingTheContentCounts() {
    #expect(uids(item(nil, hash: 1)) == uids(item(nil, hash: 1)))
    #expect(uids(item(nil, hash: 1)) != uids(item(nil, hash: 2)))
  }

  @Test func aDoubleGuidIsCompletedByTheLink() {
    let together = uids(item("a", "x"), item("a", "y"), item("b", "x"))
    #expect(Set(together).count == 3)
    #expect(together[2] == uids(item("b"))[0])
    #expect(together[0] != uids(item("a"))[0])
    // The order of a document does not matter.
    #expect(uids(item("a", "y"), item("a", "x")) == [together[1], together[0]])
  }

  @Test func oneGuidForAllLosesNothing() {
    let uids = uids(
      item("0", nil, "one"), item("0", nil, "two"), item("0", nil, "", nil, hash: 1),
      item("0", nil, "", nil, hash: 2))
    #expect(Set(uids.compactMap { $0 }).count == 4)
  }

  @Test func repetitionsAreOneItem() {
    let uids = uids(item("a", "x", "t", 1, hash: 1), item("a", "x", "t", 1, hash: 1))
    #expect(uids[0] != nil)
    #expect(uids[1] == nil)
  }

  @Test(arguments: Rounds.seeds(50))
  func keysAreUnique(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let items = (0..<Int.random(in: 0...30, using: &random)).map { _ in
      item(
        [nil, "", "1", "2"].randomElement(using: &random) ?? nil,
        [nil, "a", "b"].randomElement(using: &random) ?? nil,
        ["", "t", "u"].randomElement(using: &random) ?? "",
        [nil, 1, 2].randomElement(using: &random) ?? nil,
        hash: UInt64.random(in: 0...3, using: &random))
    }
    let keys = ItemIdentity.keys(of: items)
    let uids = keys.compactMap { $0?.uid }
    #expect(Set(uids).count == uids.count, "seed \(seed)")
    // Only repetitions have none.
    #expect(Set(items.map { Self.parts(of: $0) }).count == uids.count, "seed \(seed)")
    let shuffled = items.shuffled(using: &random)
    #expect(
      Set(ItemIdentity.keys(of: shuffled).compactMap { $0?.uid }) == Set(uids), "seed \(seed)")
  }

  private static func parts(of item: NewItem) -> [String] {
    let guid = item.guid ?? ""
    return [
      guid, item.link ?? "", item.title, item.published.map { "\($0)" } ?? "", "\(item.hash)",
    ]
  }
}

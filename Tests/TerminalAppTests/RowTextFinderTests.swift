import TerminalViews
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TerminalApp

/// Matches in the rows of a list, compared with a naive search.
@MainActor @Suite struct RowTextFinderTests {
  /// As many rows as there are texts.
  @MainActor private final class Rows: ListViewDataSource {
    var texts: [String] = []
    func numberOfRows(in listView: ListView) -> Int { texts.count }
    func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
      ListViewCell(name: "row")
    }
    func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
      RowID(UInt64(indexPath.row))
    }
  }

  @Test(arguments: Rounds.seeds(6))
  func agreesWithANaiveSearch(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rows = Rows()
    let count = Int.random(in: 0...1_800, using: &generator)
    let rarity = Int.random(in: 1...900, using: &generator)
    rows.texts = (0..<count).map { row in
      Int.random(in: 0..<rarity, using: &generator) == 0 ? "tide \(row)" : "gull \(row)"
    }
    let pane = ListPane()
    pane.listView.dataSource = rows
    var marked: [String?] = []
    let finder = RowTextFinder(pane) {
      rows.texts[$0]
    } mark: {
      marked.append($0?.query)
    }
    let needle = try #require(TextNeedle("tide"))
    for _ in 0..<40 where count > 0 {
      let origin = Int.random(in: 0..<count, using: &generator)
      let includesIt = Bool.random(using: &generator)
      let direction: SearchDirection = Bool.random(using: &generator) ? .forward : .backward
      finder.find(needle, from: origin, direction)
      var found = finder.match(from: origin, including: includesIt, direction)
      // Without an application no later turn continues the search.
      while found == .searching {
        found = finder.match(from: origin, including: includesIt, direction)
      }
      let below = Array(origin + 1..<max(origin + 1, count))
      let above = Array((0..<origin).reversed())
      let near = (includesIt ? [origin] : []) + (direction == .forward ? below : above)
      let far = (direction == .forward ? above : below).reversed() + (includesIt ? [] : [origin])
      let expected: SearchMatch =
        if let row = near.first(where: { rows.texts[$0].hasPrefix("tide") }) {
          .row(row, wrapped: false)
        } else if let row = far.first(where: { rows.texts[$0].hasPrefix("tide") }) {
          .row(row, wrapped: true)
        } else {
          .none
        }
      #expect(found == expected, "seed \(seed), \(direction) from \(origin) of \(count)")
    }
    finder.mark(needle)
    finder.mark(nil)
    #expect(marked == ["tide", nil])
    finder.end()
    #expect(finder.match(from: 0, including: true, .forward) == .none)
  }
}

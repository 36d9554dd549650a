import HTTP
import Testing

@testable import TimelineStore

/// Where the older pages of a timeline lead, and which rows need them.
@Suite struct PageTrailTests {
  private let host = "http://tides.example"

  private func link(_ page: Int) -> HTTPLink { HTTPLink("\(host)/\(page)", reach: .everywhere) }

  private func page(_ number: Int, added: Int = 10, next: NextPage) -> Paging.AddedPage {
    Paging.AddedPage(
      url: link(number).url, next: next, added: added, count: number * 10, text: 0)
  }

  @Test func pagesAreFollowedUntilOneLeadsBack() {
    var trail = PageTrail(first: link(1))
    for number in 1...3 {
      #expect(trail.next == link(number) && trail.end == nil)
      trail.add(page(number, next: .address(link(number + 1))), asked: link(number).url)
    }
    trail.add(page(4, next: .address(link(2))), asked: link(4).url)
    #expect(trail.end == .loop(page: 2) && trail.count == 4)
  }

  @Test func anEmptyPageThatNamesItselfIsTheLast() {
    var trail = PageTrail(first: link(1))
    trail.add(page(1, next: .address(link(2))), asked: link(1).url)
    trail.add(page(2, added: 0, next: .address(link(2))), asked: link(2).url)
    #expect(trail.end == .lastPage && trail.emptyRun == 1)
    trail.forgiveEmptyPages()
    #expect(trail.emptyRun == 0)
  }

  @Test func onlyAMissingFirstPageEndsTheTimeline() {
    var trail = PageTrail(first: link(1))
    trail.add(page(1, next: .address(link(2))), asked: link(1).url)
    trail.fail()
    #expect(trail.end == nil)
    var missing = PageTrail(first: link(1))
    missing.fail()
    #expect(missing.end == .failed)
  }

  @Test func rowsAreNeededTwoScreensAheadOrAsWanted() {
    var demand = RowDemand()
    #expect(demand.isEndNear && !demand.isLacking)
    demand.supply(40)
    #expect(!demand.isEndNear)
    for (rows, isNear) in [(0..<10, false), (10..<20, false), (11..<21, true), (50..<50, false)] {
      let isOther = demand.show(rows)
      #expect(isOther && demand.isEndNear == isNear, "\(rows)")
    }
    let isRepeated = demand.show(50..<50)
    #expect(!isRepeated)
    let isWanted = demand.want(41)
    #expect(isWanted && demand.isLacking)
    demand.supply(41)
    #expect(!demand.isLacking)
  }
}

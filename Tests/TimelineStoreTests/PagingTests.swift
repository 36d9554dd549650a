import Feeds
import Testing

@testable import TimelineStore

/// The decisions about requesting pages, at given times.
@MainActor @Suite struct PagingTests {
  private let host = "http://tides.example"

  /// A paging to which a first page of `count` posts was added.
  private func opened(count: Int = 40, next: NextPage? = nil) -> Paging {
    var paging = Paging(first: host + "/1")
    #expect(urls(paging.start(now: 0)) == [host + "/1"])
    #expect(paging.take(page(1, count, next: next), now: 0) == [])
    return paging
  }

  /// Page `number` of a timeline whose pages have `added` new posts each.
  private func page(_ number: Int, _ added: Int = 40, next: NextPage? = nil) -> Paging.AddedPage {
    Paging.AddedPage(
      url: "\(host)/\(number)", next: next ?? .address("\(host)/\(number + 1)"), added: added,
      count: number * added, text: 0)
  }

  private func urls(_ actions: [Paging.Action]) -> [String] {
    actions.compactMap { if case .fetch(let request) = $0 { request.url } else { nil } }
  }

  @Test func pagesAreRequestedTwoScreensAhead() {
    var paging = opened()
    #expect(paging.show(rows: 0..<10, now: 1) == [])
    #expect(paging.show(rows: 10..<20, now: 1) == [])
    #expect(urls(paging.show(rows: 11..<21, now: 1)) == [host + "/2"])
    // There is one request at a time.
    #expect(paging.show(rows: 30..<40, now: 1) == [])
    #expect(urls(paging.take(page(2), now: 1)) == [])
    #expect(urls(paging.show(rows: 70..<80, now: 1)) == [host + "/3"])
    #expect(paging.take(page(3, next: NextPage.none), now: 1) == [])
    #expect(paging.end == .lastPage)
    #expect(paging.show(rows: 110..<120, now: 1) == [])
  }

  @Test func seekingRequestsPages() {
    var paging = opened()
    #expect(!paging.canSeek(.row(39)) && paging.canSeek(.row(40)) && paging.canSeek(.end))
    #expect(urls(paging.seek(.row(100), now: 1)) == [host + "/2"])
    #expect(urls(paging.take(page(2), now: 1)) == [host + "/3"])
    #expect(paging.take(page(3), now: 1) == [.found(.row(100))])
    #expect(urls(paging.seek(.end, now: 1)) == [host + "/4"])
    #expect(urls(paging.take(page(4), now: 1)) == [host + "/5"])
    #expect(paging.take(page(5, next: NextPage.none), now: 1) == [.found(.end)])
    #expect(!paging.canSeek(.end))
  }

  @Test func cancellingASeekCancelsTheRequest() {
    var paging = opened()
    _ = paging.show(rows: 0..<10, now: 1)
    _ = paging.seek(.end, now: 1)
    #expect(paging.cancelSeek() == [.cancel])
    // The next request waits for the end of the cancelled one.
    #expect(paging.seek(.end, now: 1) == [])
    #expect(urls(paging.fail(.cancelled, now: 1)) == [host + "/2"])
    #expect(paging.trouble == nil)
  }

  @Test func aFailureIsRetriedOnlyAfterAnAction() {
    var paging = opened()
    _ = paging.show(rows: 20..<30, now: 10)
    #expect(paging.fail(.status(503), now: 10) == [])
    #expect(
      paging.trouble?.text == "page 2: HTTP status 503 (service unavailable); r tries again")
    // Frames of the same rows, such as the one that shows the failure, request nothing.
    #expect(paging.show(rows: 20..<30, now: 99) == [])
    #expect(urls(paging.show(rows: 21..<31, now: 99)) == [host + "/2"])
    #expect(paging.fail(.status(503), now: 99) == [])
    // After the second failure scrolling waits a little, then longer and longer.
    #expect(paging.show(rows: 22..<32, now: 100) == [])
    #expect(urls(paging.show(rows: 23..<33, now: 101)) == [host + "/2"])
    #expect(paging.fail(.status(503), now: 101) == [])
    #expect(paging.show(rows: 24..<34, now: 104) == [])
    #expect(urls(paging.seek(.end, now: 104)) == [host + "/2"])
    #expect(paging.fail(.status(500), now: 104) == [])
    #expect(paging.seekTarget == nil)
    #expect(urls(paging.refresh(now: 104)) == [host + "/1"])
  }

  @Test func retryAfterIsRespected() {
    var paging = opened()
    _ = paging.show(rows: 20..<30, now: 10)
    _ = paging.fail(.status(429, retryAfter: 120), now: 10)
    #expect(
      paging.trouble?.text
        == "page 2: HTTP status 429 (too many requests); r tries again in 2 min")
    #expect(paging.show(rows: 21..<31, now: 129) == [])
    #expect(paging.refresh(now: 129) == [.refreshFailed])
    #expect(paging.trouble?.text == "the server is asked again in 1 s at the earliest")
    // Only a seek waits, with one timer, until it is cancelled.
    #expect(paging.seek(.end, now: 100) == [.wake(after: 30)])
    #expect(paging.show(rows: 22..<32, now: 101) == [])
    #expect(paging.cancelSeek() == [.cancelWake])
    #expect(paging.seek(.end, now: 120) == [.wake(after: 10)])
    #expect(urls(paging.woke(now: 130)) == [host + "/2"])
  }

  @Test func aRefreshEndsASeek() {
    var paging = opened()
    _ = paging.show(rows: 0..<10, now: 1)
    _ = paging.seek(.end, now: 1)
    _ = paging.fail(.status(429, retryAfter: 30), now: 1)
    #expect(paging.seek(.end, now: 2) == [.wake(after: 29)])
    #expect(paging.refresh(now: 3) == [.cancelWake, .refreshFailed])
    #expect(paging.seekTarget == nil && !paging.isRefreshing)
  }

  @Test func requestsToAHostAreLimited() {
    var paging = opened(count: 1)
    _ = paging.seek(.end, now: 0)
    var (now, number, times) = (0.0, 2, [0.0])
    var actions: [Paging.Action] = []
    while number < 1_000 {
      times.append(now)
      actions = paging.take(page(number, 1), now: now)
      number += 1
      for action in actions {
        guard case .wake(let seconds) = action else { continue }
        now += seconds
        #expect(urls(paging.woke(now: now)) == ["\(host)/\(number)"])
      }
      now += 0.25
    }
    // The server answered 1000 times, but never more than 240 times within five minutes.
    for (index, time) in times.enumerated() where index >= RequestRate.maximumCount {
      #expect(time - times[index - RequestRate.maximumCount] >= RequestRate.window - 1)
    }
    #expect(now < 5 * RequestRate.window)
  }

  @Test func theRequestLimitIsReported() {
    var paging = opened(count: 1)
    var number = 2
    while true {
      _ = paging.show(rows: 0..<number - 1, now: 0)
      guard paging.request != nil else { break }
      _ = paging.take(page(number, 1), now: 0)
      number += 1
    }
    #expect(number == RequestRate.maximumCount + 1)
    #expect(paging.trouble?.text == "the server is asked again in 5 min at the earliest")
    #expect(paging.show(rows: 0..<1, now: 299) == [])
    #expect(paging.waiting == nil)
    #expect(!urls(paging.show(rows: 1..<number - 1, now: 301)).isEmpty)
  }

  @Test func pagesThatLeadBackEndTheTimeline() {
    var own = opened(next: .address("http://TIDES.example:80/1#again"))
    #expect(own.end == .loop(page: 1))
    #expect(own.show(rows: 30..<40, now: 1) == [])
    var paging = opened()
    _ = paging.seek(.end, now: 1)
    _ = paging.take(page(2), now: 1)
    #expect(paging.take(page(3, next: .address(host + "/2")), now: 1) == [.found(.end)])
    #expect(paging.end == .loop(page: 2))
  }

  @Test func tooManyPagesWithoutNewPostsAreAFailure() {
    var paging = opened()
    var asked = urls(paging.show(rows: 30..<40, now: 1)).count
    for number in 2... {
      var empty = page(number, 0)
      empty.count = 40
      let more = urls(paging.take(empty, now: 1)).count
      asked += more
      if more == 0 { break }
    }
    #expect(asked == Paging.emptyPages)
    #expect(paging.trouble?.text == "10 pages in a row held nothing new; r or G tries on")
    #expect(paging.show(rows: 31..<40, now: 2) == [])
    #expect(urls(paging.show(rows: 30..<40, now: 20)) == [host + "/12"])
  }

  @Test func pagingEndsAtTheLimit() {
    var paging = opened()
    _ = paging.seek(.end, now: 1)
    var large = page(2)
    large.count = Paging.maximumPosts
    #expect(paging.take(large, now: 1) == [.found(.end)])
    #expect(paging.end == .full)
    var long = opened()
    _ = long.seek(.end, now: 1)
    var text = page(2)
    text.text = Paging.maximumPostBytes
    #expect(long.take(text, now: 1) == [.found(.end)])
    #expect(long.end == .full)
  }

  @Test func aRefreshReadsUntilKnownPosts() {
    var paging = opened()
    func newer(_ number: Int, connectsToKnownPosts: Bool) -> Paging.AddedPage {
      Paging.AddedPage(
        url: "\(host)/\(number)", next: .address("\(host)/\(number + 1)"), added: 40,
        connectsToKnownPosts: connectsToKnownPosts, count: 40, text: 0)
    }
    #expect(urls(paging.refresh(now: 1)) == [host + "/1"])
    #expect(urls(paging.take(newer(1, connectsToKnownPosts: false), now: 1)) == [host + "/2"])
    #expect(paging.take(newer(2, connectsToKnownPosts: true), now: 1) == [.merge(.met)])
    #expect(paging.show(rows: 30..<40, now: 1) == [])
    #expect(urls(paging.merged(count: 80, now: 1)) == [])
    #expect(urls(paging.show(rows: 70..<80, now: 1)) == [host + "/2"])
    // A refresh does not wait for an older page.
    #expect(paging.refresh(now: 1) == [.cancel])
    #expect(urls(paging.fail(.cancelled, now: 1)) == [host + "/1"])
    for number in 1..<Paging.refreshPages {
      #expect(
        urls(paging.take(newer(number, connectsToKnownPosts: false), now: 1)) == [
          "\(host)/\(number + 1)"
        ])
    }
    #expect(
      paging.take(newer(Paging.refreshPages, connectsToKnownPosts: false), now: 1) == [.merge(.gap)]
    )
  }

  @Test func aStoppedTimelineRequestsNothing() {
    var paging = opened()
    _ = paging.seek(.end, now: 1)
    #expect(paging.stop() == [.cancel])
    #expect(paging.fail(.cancelled, now: 1) == [])
    #expect(paging.show(rows: 30..<40, now: 1) == [])
    #expect(paging.refresh(now: 1) == [])
  }
}

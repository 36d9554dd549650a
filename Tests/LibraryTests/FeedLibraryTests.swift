import TestSupport
import Testing

@testable import Library

@Suite(.timeLimit(.minutes(5))) struct FeedLibraryTests {
  private let library: FeedLibrary

  init() throws { library = try FeedLibrary(path: "") }

  private func follow(_ address: String, at now: Double = 0) throws -> FeedID {
    try library.follow(address, at: now).id
  }

  // MARK: Feeds

  @Test func aFeedIsFollowedOnce() throws {
    let first = try library.follow("http://x/a", title: "A", tags: ["news", "daily"], at: 1)
    let again = try library.follow("http://x/a", ownName: "mine", tags: ["more"], at: 2)
    #expect(first.isNew && !again.isNew && first.id == again.id)
    let feeds = try library.feeds()
    #expect(feeds.map(\.name) == ["mine"])
    #expect(feeds.first?.tags == ["daily", "more", "news"])
    #expect(feeds.first?.followedSince == 1)
    #expect(try library.feed(at: "http://x/a") == feeds.first)
    #expect(try library.feed(first.id) == feeds.first)
    #expect(try library.feed(at: "http://x/b") == nil)
  }

  @Test func namesAndTagsAreReplaced() throws {
    let feed = try follow("http://x/a")
    #expect(try library.feed(feed)?.name == "http://x/a")
    _ = try library.recordFetch(FetchRecord([], title: "Title"), of: feed, at: 1)
    #expect(try library.feed(feed)?.name == "Title")
    try library.rename(feed, to: "mine")
    try library.tag(feed, with: ["b", "a"])
    #expect(try library.feed(feed)?.name == "mine")
    #expect(try library.feed(feed)?.tags == ["a", "b"])
    try library.rename(feed, to: nil)
    try library.tag(feed, with: [])
    #expect(try library.feed(feed)?.name == "Title")
    #expect(try library.feed(feed)?.tags == [])
  }

  @Test func aFeedThatIsNotThereIsAnError() throws {
    let feed = try follow("http://x/a")
    try library.leave(feed, purge: true)
    let changes: [() throws -> Void] = [
      { try library.rename(feed, to: "a") }, { try library.tag(feed, with: ["a"]) },
      { try library.leave(feed, purge: false) }, { try library.leave(feed, purge: true) },
      { try library.pause(feed, because: "a") }, { _ = try library.move(feed, to: "http://x/b") },
      { _ = try library.recordFetch(FetchRecord([]), of: feed, at: 1) },
    ]
    for change in changes {
      let error = #expect(throws: LibraryError.self) { try change() }
      #expect(error?.cause == .noSuchFeed(feed.description))
    }
  }

  @Test func itemsOfALeftFeedStay() throws {
    let feed = try follow("http://x/a")
    let added = try library.recordFetch(FetchRecord([NewItem("1"), NewItem("2")]), of: feed, at: 1)
    _ = try library.mark(ItemRanges([added.added[0].item]), as: .read, at: 2)
    try library.leave(feed, purge: false)
    #expect(try library.feeds().isEmpty)
    #expect(try library.feeds(includeLeft: true).map(\.unreadCount) == [1])
    #expect(try library.guids() == ["1", "2"])
    #expect(try library.dueFeeds(at: 100).isEmpty)
    // It is followed again, with the marks that it had.
    #expect(try library.follow("http://x/a", at: 3).isNew)
    #expect(try library.unreadGuids == ["2"])
    #expect(try library.brokenInvariants() == [])
  }

  @Test func aPurgedFeedLeavesNothing() throws {
    let (a, b) = (try follow("http://x/a"), try follow("http://x/b"))
    _ = try library.recordFetch(FetchRecord([NewItem("1"), NewItem("2")]), of: a, at: 1)
    _ = try library.recordFetch(FetchRecord([NewItem("3")]), of: b, at: 1)
    try library.leave(a, purge: true)
    #expect(try library.feeds(includeLeft: true).map(\.address) == ["http://x/b"])
    #expect(try library.guids() == ["3"])
    #expect(try library.unreadGuids == ["3"])
    #expect(try library.brokenInvariants() == [])
  }

  // MARK: When

  @Test func feedsAreDueInOrder() throws {
    let feeds = try (0..<4).map { try follow("http://x/\($0)") }
    for (feed, time) in zip(feeds, [300.0, 100, 200]) {
      _ = try library.recordFetch(FetchRecord([], nextTime: time), of: feed, at: 50)
    }
    try library.pause(feeds[3], because: "gone")
    #expect(try library.nextDueTime() == 100)
    #expect(try library.dueFeeds(at: 99).isEmpty)
    #expect(try library.dueFeeds(at: 200).map(\.id) == [feeds[1], feeds[2]])
    try library.postpone([feeds[1], feeds[2]], until: 150)
    #expect(try library.dueFeeds(at: 200).map(\.id) == [feeds[1], feeds[2]])
    #expect(try library.nextDueTime() == 150)
    try library.pause(feeds[3], because: nil)
    #expect(try library.dueFeeds(at: 60).map(\.id) == [feeds[3]])
    // The clock was set back: all were fetched in what is the future now.
    #expect(try library.dueFeeds(at: 49).count == 4)
  }

  @Test func aFetchIsRecorded() throws {
    let feed = try follow("http://x/a")
    let validators = Feed.Validators(
      address: "http://x/a", entityTag: "W/\"1\"", lastModified: nil, time: 5)
    let redirect = Feed.Redirect(target: "http://x/b", count: 2, since: 4)
    _ = try library.recordFetch(
      FetchRecord(
        .document(title: "A", items: [NewItem("1")]), nextTime: 10, validators: validators,
        redirect: redirect, hint: "ttl=60"), of: feed, at: 5)
    var found = try #require(try library.feed(feed))
    #expect(found.validators == validators)
    #expect(found.redirect == redirect)
    #expect(found.schedule.hint == "ttl=60" && found.schedule.nextTime == 10)
    #expect(found.health.lastSuccess == 5 && found.schedule.lastAttempt == 5)
    #expect(found.unreadCount == 1 && found.newestDate == 5_000)

    for _ in 0..<2 {
      let changes = try library.recordFetch(
        FetchRecord(.failed("no route"), nextTime: 20), of: feed, at: 6)
      #expect(changes.isEmpty)
    }
    found = try #require(try library.feed(feed))
    #expect(found.health.failures == 2 && found.health.lastError == "no route")
    #expect(found.health.lastSuccess == 5 && found.schedule.lastAttempt == 6)
    #expect(found.validators == validators && found.redirect == nil)
    #expect(found.schedule.hint == "ttl=60" && found.schedule.nextTime == 20)

    _ = try library.recordFetch(
      FetchRecord(.notModified, nextTime: 30, pauseReason: "asked to"), of: feed, at: 7)
    found = try #require(try library.feed(feed))
    #expect(found.health.failures == 0 && found.health.lastError == nil)
    #expect(found.health.lastSuccess == 7 && found.validators == nil)
    #expect(found.schedule.pauseReason == "asked to")
    #expect(try library.guids() == ["1"])
  }

  @Test func anOmissionStaysUntilTheNextDocument() throws {
    let feed = try follow("http://x/a")
    func after(_ record: FetchRecord) throws -> Feed.Health {
      _ = try library.recordFetch(record, of: feed, at: 5)
      return try #require(try library.feed(feed)).health
    }
    var partial = FetchRecord(.document(title: "A", items: [NewItem("1")]), nextTime: 10)
    partial.omission = "only its first item was read"
    #expect(try after(partial).omission == partial.omission)
    let unchanged = try after(FetchRecord(.notModified, nextTime: 20))
    #expect(unchanged.omission == partial.omission && unchanged.lastError == nil)
    let failed = try after(FetchRecord(.failed("no route"), nextTime: 30))
    #expect(failed.omission == nil && failed.lastError == "no route")
    #expect(try after(FetchRecord(.notModified, nextTime: 40)).omission == nil)
    _ = try after(partial)
    let whole = FetchRecord(.document(title: "A", items: [NewItem("1")]), nextTime: 50)
    #expect(try after(whole).omission == nil)
  }

  // MARK: Items

  @Test func onlyNewItemsAreAdded() throws {
    let feed = try follow("http://x/a")
    let first = try library.recordFetch(
      FetchRecord([NewItem("2", published: 2), NewItem("1", published: 1)]), of: feed, at: 10)
    #expect(first.added.count == 2 && first.unread.count == 2)
    let second = try library.recordFetch(
      FetchRecord([NewItem("3", published: 3), NewItem("2", published: 2, version: 2)]),
      of: feed, at: 11)
    #expect(second.added.count == 1 && second.changed.count == 1)
    #expect(try library.guids() == ["3", "2", "1"])
    #expect(try library.lines()[1].contains("\"version\":2"))
    let third = try library.recordFetch(
      FetchRecord([NewItem("3", published: 3), NewItem("2", published: 2, version: 2)]),
      of: feed, at: 12)
    #expect(third.isEmpty)
  }

  @Test func anUpdateKeepsMarksAndPlace() throws {
    let feed = try follow("http://x/a")
    let added = try library.recordFetch(
      FetchRecord([NewItem("2", published: 2), NewItem("1", published: 1)]), of: feed, at: 10)
    let item = try #require(added.added.last?.item)
    _ = try library.mark(ItemRanges([item]), as: .read, at: 11)
    _ = try library.mark(ItemRanges([item]), as: .saved, at: 11)
    let change = try library.recordFetch(
      FetchRecord([NewItem("2", published: 2), NewItem("1", published: 9, version: 2)]),
      of: feed, at: 12)
    #expect(change.changed == [item] && change.added.isEmpty)
    #expect(try library.guids() == ["2", "1"])
    #expect(try library.unreadGuids == ["2"])
    #expect(try library.savedItems().items == [item])
  }

  @Test func aGuidThatBecomesDoubleAndSingleAgainStaysOneItem() throws {
    let feed = try follow("http://x/a")
    let item = { (guid: String, link: String, title: String) in
      NewItem(
        guid: guid, link: link, title: title, published: 1, body: .line(Array(link.utf8)))
    }
    let single = [item("0", "http://x/1", "one")]
    let double = single + [item("0", "http://x/2", "two")]
    _ = try library.recordFetch(FetchRecord(single), of: feed, at: 1)
    _ = try library.mark(try library.unreadItems(), as: .read, at: 2)
    var changes = try library.recordFetch(FetchRecord(double), of: feed, at: 3)
    #expect(changes.added.count == 1)
    for (number, document) in [[double[1]], single, double, double.reversed()].enumerated() {
      changes = try library.recordFetch(
        FetchRecord(document), of: feed, at: 4 + Double(number))
      #expect(changes.isEmpty, "document \(number)")
    }
    #expect(try library.lines() == ["http://x/1", "http://x/2"])
    #expect(try library.unreadItems().count == 1)
  }

  /// A feed that makes new guids for every answer brings only what is new.
  @Test func itemsWithNewGuidsEachTimeStayTheSame() throws {
    let feed = try follow("http://x/a")
    func document(_ numbers: Range<Int>, _ answer: Int, isDated: Bool = true) -> FetchRecord {
      FetchRecord(
        numbers.reversed().map { number in
          NewItem(
            guid: "\(answer)-\(number)", link: "http://x/\(number)", title: "title \(number)",
            published: isDated ? Double(number) : nil,
            body: .line(Array("{\"id\":\"\(answer)-\(number)\"}".utf8)))
        })
    }
    for isDated in [true, false] {
      let feed = isDated ? feed : try follow("http://x/b")
      let first = try library.recordFetch(
        document(0..<4, 1, isDated: isDated), of: feed, at: 10)
      #expect(first.added.count == 4)
      _ = try library.mark(try library.unreadItems(), as: .read, at: 11)
      _ = try library.mark(ItemRanges([first.added[0].item]), as: .saved, at: 11)
      for (answer, numbers) in [(2, 0..<4), (3, 1..<6), (4, 1..<6), (5, 2..<7)] {
        let changes = try library.recordFetch(
          document(numbers, answer, isDated: isDated), of: feed, at: Double(10 + answer))
        #expect(changes.added.count == [2: 0, 3: 2, 4: 0, 5: 1][answer], "answer \(answer)")
        #expect(changes.changed.count == (answer == 3 ? 3 : numbers.count - changes.added.count))
      }
      #expect(try library.unreadItems().count == 3)
      #expect(try library.feed(feed)?.unreadCount == 3)
      _ = try library.mark(try library.unreadItems(), as: .read, at: 20)
    }
    #expect(try library.savedItems().items.count == 2)
    #expect(try library.brokenInvariants() == [])
  }

  /// In a list of offers all titles and dates are the same; links tell the items apart.
  @Test func itemsOfOneTitleAndDateStayTheSameByTheirLinks() throws {
    let feed = try follow("http://x/a")
    func document(_ numbers: Range<Int>, _ answer: Int) -> FetchRecord {
      FetchRecord(
        numbers.map { number in
          NewItem(
            guid: "\(answer)-\(number)", link: "http://x/\(number)", title: "Offer", published: 5,
            body: .line(Array("{\"id\":\"\(number)\"}".utf8)))
        })
    }
    _ = try library.recordFetch(document(0..<4, 1), of: feed, at: 10)
    _ = try library.mark(try library.unreadItems(), as: .read, at: 11)
    for (answer, numbers) in [(2, 0..<4), (3, 1..<5), (4, 1..<5), (5, 4..<6), (6, 5..<6)] {
      let changes = try library.recordFetch(
        document(numbers, answer), of: feed, at: Double(10 + answer))
      #expect(changes.added.count == [2: 0, 3: 1, 4: 0, 5: 1, 6: 0][answer], "answer \(answer)")
    }
    #expect(try library.lines().count == 6 && library.unreadItems().count == 2)
    #expect(try library.brokenInvariants() == [])
  }

  /// A site that moves gives its items other links and guids.
  @Test func itemsOfAMovedSiteStayTheSame() throws {
    let feed = try follow("http://x/a")
    func item(_ number: Int, _ site: String) -> NewItem {
      NewItem(
        guid: "\(site)/\(number)", link: "\(site)/\(number)", title: "title \(number)",
        published: Double(number), body: .line(Array("\(site) \(number)".utf8)))
    }
    let first = (0..<4).map { item($0, "http://x") }
    _ = try library.recordFetch(FetchRecord(first), of: feed, at: 10)
    _ = try library.mark(try library.unreadItems(), as: .read, at: 11)
    // One of them has moved only.
    let second = first[..<3] + [item(3, "https://x"), item(4, "https://x")]
    let changes = try library.recordFetch(FetchRecord(Array(second)), of: feed, at: 12)
    #expect(changes.added.count == 1 && changes.changed.count == 1)
    #expect(try library.lines().count == 5 && library.lines().contains("https://x 3"))
    #expect(try library.unreadItems().count == 1)
  }

  /// A new item with a new guid at the address of the one before is new, if its date or title is.
  @Test func anItemAtTheAddressOfTheLastIsNew() throws {
    let feed = try follow("http://x/a")
    for (answer, date) in [1.0, 2, 3, nil, nil].enumerated() {
      let item = NewItem(
        guid: "\(answer)", link: "http://x/today", title: "Today", published: date,
        body: .line([]))
      let changes = try library.recordFetch(FetchRecord([item]), of: feed, at: 10)
      #expect(changes.added.count == 1)
    }
    // What an incomplete document lacks is not gone.
    var part = FetchRecord([NewItem("new", published: 3)])
    part.isWhole = false
    #expect(try library.recordFetch(part, of: feed, at: 10).added.count == 1)
    part.outcome = .document(
      title: "",
      items: [NewItem(guid: "x", link: nil, title: "title new", published: 3, body: .line([]))])
    #expect(try library.recordFetch(part, of: feed, at: 10).added.count == 1)
    // Equal ones cannot be told apart.
    let other = try follow("http://x/b")
    for answer in 1...2 {
      let items = (0..<2).map {
        NewItem(
          guid: "\(answer)-\($0)", link: "http://x/", title: "Tides", published: 1,
          body: .line([UInt8($0)]))
      }
      let changes = try library.recordFetch(FetchRecord(items), of: other, at: 10)
      #expect(changes.added.count == 2)
    }
  }

  @Test func oldItemsOfANewSubscriptionArriveRead() throws {
    let feed = try follow("http://x/a", at: 400 * day)
    let items = [NewItem("new", published: 399 * day), NewItem("old", published: 100 * day)]
    let first = try library.recordFetch(FetchRecord(items), of: feed, at: 400 * day)
    #expect(first.added.count == 2 && first.unread.count == 1)
    #expect(try library.unreadGuids == ["new"])
    // Later ones do not.
    _ = try library.recordFetch(
      FetchRecord(items + [NewItem("late", published: 100 * day)]), of: feed, at: 401 * day)
    #expect(try library.unreadGuids == ["new", "late"])
  }

  @Test func aDateInTheFutureCountsAsFirstSeen() throws {
    let feed = try follow("http://x/a")
    _ = try library.recordFetch(FetchRecord([NewItem("future", published: 1e9)]), of: feed, at: 10)
    _ = try library.recordFetch(
      FetchRecord([NewItem("later", published: 20), NewItem("future", published: 1e9)]), of: feed,
      at: 30)
    #expect(try library.guids() == ["later", "future"])
  }

  @Test func datesOutOfRangeAreTaken() throws {
    let feed = try follow("http://x/a")
    let dates: [Double?] = [.infinity, -.infinity, .nan, 1e300, nil]
    _ = try library.recordFetch(
      FetchRecord(dates.enumerated().map { NewItem("\($0)", published: $1) }), of: feed, at: 10)
    #expect(try library.guids().count == 5)
    #expect(try library.brokenInvariants() == [])
  }

  @Test func aFileIsRecordedInParts() throws {
    let feed = try follow("/file")
    var record = FetchRecord((0..<3).map { NewItem("\($0)") })
    record.isWhole = false
    _ = try library.recordFetch(record, of: feed, at: 1)
    record.outcome = .document(title: "", items: (3..<6).map { NewItem("\($0)") })
    _ = try library.recordFetch(record, of: feed, at: 1)
    #expect(try library.guids() == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func bodiesMayStayInAFile() throws {
    let feed = try follow("/file")
    let extent = ItemBody.FileExtent(source: 3, offset: 1 << 40, count: 77)
    let change = try library.recordFetch(
      FetchRecord([
        NewItem(guid: "1", link: nil, title: "", published: nil, body: .extent(extent)),
        NewItem(guid: "2", link: nil, title: "", published: nil, body: .line([])),
      ]), of: feed, at: 1)
    #expect(
      try library.entries(of: change.added.map(\.item) + [ItemID(99)]).map { $0?.body } == [
        .extent(extent), .line([]), nil,
      ])
    #expect(try library.entry(of: change.added[0].item)?.body == .extent(extent))
  }

  // MARK: Timelines

  @Test func timelinesAreReadInChunks() throws {
    let feeds = try (0..<3).map { try follow("http://x/\($0)") }
    var random = SeededGenerator(seed: 1)
    for (number, feed) in feeds.enumerated() {
      let items = (0..<40).map { index in
        NewItem("\(number)-\(index)", published: Double(Int.random(in: 0..<8, using: &random)))
      }
      _ = try library.recordFetch(FetchRecord(items), of: feed, at: 100)
    }
    let saved = ItemRanges([3, 50, 51, 70].map { ItemID($0) })
    _ = try library.mark(saved, as: .saved, at: 101)
    let scopes: [(FeedScope, Int)] = [
      (.everything, 120), (.feed(feeds[1]), 40), (.saved, 4),
    ]
    for (scope, count) in scopes {
      let all = try library.places(in: scope, after: nil, count: 1_000)
      #expect(all.count == count && all == all.sorted(), "\(scope)")
      #expect(try library.newestPlaces(10, in: scope) == Array(all.prefix(10)), "\(scope)")
      for size in [1, 7, 100] {
        var chunks: [ItemPlace] = []
        while true {
          let chunk = try library.places(in: scope, after: chunks.last, count: size)
          chunks += chunk
          guard chunk.count == size else { break }
        }
        #expect(chunks == all, "\(scope) in chunks of \(size)")
      }
    }
    #expect(try library.latestItem() == ItemID(120))
  }

  // MARK: Marks

  @Test func theLastMarkingsAreTakenBack() throws {
    let feed = try follow("http://x/a")
    let items = try library.recordFetch(
      FetchRecord((1...5).map { NewItem("\($0)") }), of: feed, at: 1
    ).added.map(\.item)
    let read = try library.mark(ItemRanges(items[1...2]), as: .read, at: 2)
    #expect(read.items.items == Array(items[1...2]))
    // The items that are read already do not count.
    let all = try library.mark(ItemRanges(items), as: .read, at: 3)
    #expect(all.items.items == [items[0], items[3], items[4]])
    #expect(try library.feed(feed)?.unreadCount == 0)
    #expect(try library.mark(ItemRanges(items), as: .read, at: 4).items.isEmpty)
    _ = try library.mark(ItemRanges([items[0]]), as: .saved, at: 5)

    #expect(
      try library.undoMarking(at: 6) == Marking(.unsaved, ItemRanges([items[0]]), time: 6))
    #expect(try library.savedItems().isEmpty)
    #expect(try library.undoMarking(at: 7)?.items.items == [items[0], items[3], items[4]])
    #expect(try library.unreadItems().items == [items[0], items[3], items[4]])
    #expect(try library.undoMarking(at: 8)?.mark == .unread)
    #expect(try library.unreadItems().items == items)
    #expect(try library.feed(feed)?.unreadCount == 5)
    #expect(try library.undoMarking(at: 9) == nil)
    #expect(try library.brokenInvariants() == [])
  }

  @Test func theLogOfMarkingsIsBounded() throws {
    let feed = try follow("http://x/a")
    _ = try library.recordFetch(FetchRecord([NewItem("1")]), of: feed, at: 1)
    for number in 0..<150 {
      let mark: Mark = number % 2 == 0 ? .read : .unread
      _ = try library.mark(ItemRanges([ItemID(1)]), as: mark, at: 2)
    }
    var count = 0
    while try library.undoMarking(at: 3) != nil { count += 1 }
    #expect(count == MarkTable.maximumMarkings)
  }

  @Test func marksOfMissingItemsDoNothing() throws {
    var ranges = ItemRanges()
    ranges.append(5...1_000)
    for mark in Mark.allCases {
      #expect(try library.mark(ranges, as: mark, at: 1).items.isEmpty)
    }
    #expect(try library.undoMarking(at: 2) == nil)
  }

  @Test func itemsAreNewAfterTheLastVisit() throws {
    let feed = try follow("http://x/a")
    #expect(try library.visit(of: "all") == nil)
    _ = try library.recordFetch(FetchRecord([NewItem("1")]), of: feed, at: 1)
    let visit = try library.recordVisit(of: "all", at: 2)
    #expect(visit == TimelineVisit(latestItem: ItemID(1), time: 2))
    let later = try library.recordFetch(FetchRecord([NewItem("2"), NewItem("1")]), of: feed, at: 3)
    #expect(later.added.allSatisfy { $0.item > visit.latestItem })
    #expect(try library.visit(of: "all") == visit)
    #expect(try library.visit(of: "other") == nil)
    #expect(try library.recordVisit(of: "all", at: 4).latestItem == ItemID(2))
  }

  // MARK: Ageing

  /// Followed at day 0 with three items, which the feed drops at day 1.
  private func agedFeed() throws -> (feed: FeedID, items: [ItemID]) {
    let feed = try follow("http://x/a")
    let added = try library.recordFetch(
      FetchRecord(["1", "2", "3"].map { NewItem($0, published: 0) }), of: feed, at: 0)
    return (feed, added.added.map(\.item))
  }

  @Test func readItemsThatAreGoneAreDeleted() throws {
    let (feed, items) = try agedFeed()
    _ = try library.mark(ItemRanges(items), as: .read, at: day)
    // The feed still has them.
    #expect(try library.deleteAgedItems(at: 1_000 * day).isEmpty)
    // An empty document proves nothing.
    _ = try library.recordFetch(FetchRecord([]), of: feed, at: day)
    #expect(try library.deleteAgedItems(at: 1_000 * day).isEmpty)
    _ = try library.recordFetch(FetchRecord([NewItem("4", published: day)]), of: feed, at: 2 * day)
    #expect(try library.deleteAgedItems(at: 179 * day).isEmpty)
    _ = try library.mark(ItemRanges([items[1]]), as: .saved, at: day)
    #expect(try library.deleteAgedItems(at: 181 * day) == [items[0], items[2]])
    #expect(try library.guids() == ["4", "2"])
    #expect(try library.brokenInvariants() == [])
  }

  @Test func unreadItemsStayTwiceAsLong() throws {
    let (feed, items) = try agedFeed()
    _ = try library.recordFetch(FetchRecord([NewItem("4")]), of: feed, at: day)
    #expect(try library.deleteAgedItems(at: 359 * day).isEmpty)
    #expect(try library.deleteAgedItems(at: 361 * day, count: 2).count == 2)
    #expect(try library.deleteAgedItems(at: 361 * day, count: 2).count == 1)
    #expect(try library.unreadItems().count == 1)
    #expect(try library.feed(feed)?.unreadCount == 1)
    // They come back as they were, and are not new.
    let back = try library.recordFetch(
      FetchRecord([NewItem("1"), NewItem("4")]), of: feed, at: 362 * day)
    #expect(back.added.map(\.item) == [items[0]])
    #expect(try library.unreadGuids == ["4", "1"])
    #expect(try library.brokenInvariants() == [])
  }

  @Test func deletedItemsDoNotComeBackUnread() throws {
    let (feed, items) = try agedFeed()
    let marking = try library.mark(ItemRanges(items), as: .read, at: day)
    _ = try library.recordFetch(FetchRecord([NewItem("4")]), of: feed, at: day)
    _ = try library.deleteAgedItems(at: 200 * day)
    #expect(try library.guids() == ["4"])
    let back = try library.recordFetch(
      FetchRecord([NewItem("4"), NewItem("2")]), of: feed, at: 500 * day)
    #expect(back.added.map(\.item) == [items[1]] && back.unread.isEmpty)
    // The marking can still be taken back, as far as the items are there.
    #expect(try library.undoMarking(at: 501 * day)?.items.items == [items[1]])
    #expect(marking.items.count == 3)
    // A year after it was deleted an item is forgotten.
    _ = try library.deleteAgedItems(at: (200 + 366) * day)
    let again = try library.recordFetch(
      FetchRecord([NewItem("4"), NewItem("3")]), of: feed, at: 600 * day)
    #expect(again.unread.count == 1)
    #expect(try library.brokenInvariants() == [])
  }

  @Test func aLeftFeedIsForgottenWithItsLastState() throws {
    let (feed, items) = try agedFeed()
    _ = try library.mark(ItemRanges(items), as: .read, at: day)
    try library.leave(feed, purge: false)
    #expect(try library.deleteAgedItems(at: 200 * day).count == 3)
    #expect(try library.feeds(includeLeft: true).count == 1)
    _ = try library.deleteAgedItems(at: (201 + 365) * day)
    #expect(try library.feeds(includeLeft: true).isEmpty)
  }

  @Test func nothingIsDeletedWithoutALimit() throws {
    let library = try FeedLibrary(path: "", keepDays: nil)
    let feed = try library.follow("http://x/a", at: 9_000 * day).id
    let added = try library.recordFetch(
      FetchRecord([NewItem("1", published: 0)]), of: feed, at: 9_000 * day)
    #expect(added.unread.count == 1)
    _ = try library.recordFetch(FetchRecord([NewItem("2")]), of: feed, at: 9_001 * day)
    #expect(try library.deleteAgedItems(at: 20_000 * day).isEmpty)
  }

  // MARK: Moving

  @Test func aMovedFeedKeepsItsItems() throws {
    let feed = try follow("http://x/a")
    _ = try library.recordFetch(FetchRecord([NewItem("1"), NewItem("2")]), of: feed, at: 1)
    _ = try library.mark(ItemRanges([ItemID(1)]), as: .read, at: 2)
    #expect(try library.move(feed, to: "http://x/b") == feed)
    #expect(try library.feeds().map(\.address) == ["http://x/b"])
    #expect(
      try library.recordFetch(FetchRecord([NewItem("1"), NewItem("2")]), of: feed, at: 3).isEmpty)
    #expect(try library.unreadGuids == ["2"])
  }

  @Test func feedsThatMeetBecomeOne() throws {
    let (a, b) = (try follow("http://x/a", at: 5), try follow("http://x/b", at: 3))
    try library.rename(a, to: "mine")
    try library.tag(a, with: ["one", "two"])
    try library.tag(b, with: ["two", "three"])
    _ = try library.recordFetch(
      FetchRecord(["1", "2", "3"].map { NewItem($0) }), of: a, at: 1)
    _ = try library.recordFetch(
      FetchRecord(["2", "3", "4"].map { NewItem($0) }), of: b, at: 1)
    _ = try library.mark(ItemRanges([ItemID(2)]), as: .read, at: 2)
    _ = try library.mark(ItemRanges([ItemID(3)]), as: .saved, at: 2)
    #expect(try library.move(a, to: "http://x/b") == b)
    let feeds = try library.feeds(includeLeft: true)
    #expect(feeds.map(\.name) == ["mine"])
    #expect(feeds.map(\.tags) == [["one", "three", "two"]])
    #expect(feeds.map(\.followedSince) == [3])
    #expect(Set(try library.guids()) == ["1", "2", "3", "4"])
    #expect(Set(try library.unreadGuids) == ["1", "3", "4"])
    #expect(try library.savedItems().items == [ItemID(5)])
    #expect(try library.brokenInvariants() == [])
  }
}

import TestSupport
import Testing

@testable import Library

/// Two connections to one file do everything at random, and what they read is what plain arrays
/// hold.
@Suite(.timeLimit(.minutes(5))) struct LibraryModelTests {
  private struct Item {
    var id: Int64
    var feed: String
    var guid: String
    var version: Int
    var date: Double
    var firstSeen: Double
    var isHeld = true
    var isUnread = true
    var isSaved = false
  }

  private struct Deleted {
    var item: Item
    var time: Double
  }

  private struct Model {
    /// Those followed have a time.
    var feeds: [(address: String, since: Double?, wasRead: Bool)] = []
    var items: [Item] = []
    var deleted: [Deleted] = []
    var markings: [(mark: Mark, ids: [Int64])] = []
    var nextID: Int64 = 1
    var now = 1_000 * day

    mutating func follow(_ address: String) {
      if let index = feeds.firstIndex(where: { $0.address == address }) {
        if feeds[index].since == nil { feeds[index].since = now }
      } else {
        feeds.append((address, now, false))
      }
    }

    mutating func leave(_ address: String, purge: Bool) {
      if purge {
        feeds.removeAll { $0.address == address }
        items.removeAll { $0.feed == address }
        deleted.removeAll { $0.item.feed == address }
      } else {
        for index in feeds.indices where feeds[index].address == address {
          feeds[index].since = nil
        }
        for index in items.indices where items[index].feed == address {
          items[index].isHeld = false
        }
      }
    }

    mutating func fetch(_ address: String, _ document: [(guid: String, date: Double, version: Int)])
    {
      guard let index = feeds.firstIndex(where: { $0.address == address }) else { return }
      let isNew = !feeds[index].wasRead
      feeds[index].wasRead = true
      guard !document.isEmpty else { return }
      for (guid, date, version) in document {
        if let known = items.firstIndex(where: { $0.feed == address && $0.guid == guid }) {
          items[known].version = version
          items[known].isHeld = feeds[index].since != nil
          continue
        }
        var item = Item(
          id: nextID, feed: address, guid: guid, version: version, date: min(date, now),
          firstSeen: now)
        if let former = deleted.firstIndex(where: {
          $0.item.feed == address && $0.item.guid == guid
        }) {
          let old = deleted.remove(at: former).item
          item.id = old.id
          item.firstSeen = old.firstSeen
          item.date = min(date, old.firstSeen)
          item.isUnread = old.isUnread
        } else {
          nextID += 1
          if isNew, item.date < now - 180 * day { item.isUnread = false }
        }
        item.isHeld = feeds[index].since != nil
        items.append(item)
      }
      for known in items.indices where items[known].feed == address {
        if !document.contains(where: { $0.guid == items[known].guid }) {
          items[known].isHeld = false
        }
      }
    }

    /// The items that did not have the mark.
    mutating func set(_ mark: Mark, _ ids: Set<Int64>) -> [Int64] {
      var changed: [Int64] = []
      for index in items.indices where ids.contains(items[index].id) {
        let before = items[index]
        switch mark {
        case .read: items[index].isUnread = false
        case .unread: items[index].isUnread = true
        case .saved: items[index].isSaved = true
        case .unsaved: items[index].isSaved = false
        }
        if before.isUnread != items[index].isUnread || before.isSaved != items[index].isSaved {
          changed.append(before.id)
        }
      }
      return changed.sorted()
    }

    mutating func mark(_ mark: Mark, _ ids: Set<Int64>) -> [Int64] {
      let changed = set(mark, ids)
      if !changed.isEmpty { markings.append((mark, changed)) }
      return changed
    }

    mutating func undo() -> [Int64]? {
      guard let last = markings.popLast() else { return nil }
      return set(last.mark.inverse, Set(last.ids))
    }

    mutating func age() -> [Int64] {
      let aged = items.filter { item in
        item.date < now - 180 * day && !item.isHeld && !item.isSaved
          && (!item.isUnread || item.date < now - 360 * day)
      }
      items.removeAll { item in aged.contains { $0.id == item.id } }
      deleted += aged.map { Deleted(item: $0, time: now) }
      deleted.removeAll { $0.time < now - 365 * day }
      feeds.removeAll { feed in
        feed.since == nil && !items.contains { $0.feed == feed.address }
          && !deleted.contains { $0.item.feed == feed.address }
      }
      return aged.map(\.id).sorted()
    }

    var timeline: [Item] {
      items.sorted { $0.date == $1.date ? $0.id < $1.id : $0.date > $1.date }
    }
  }

  @Test(arguments: Rounds.seeds(12))
  func allOperationsAgreeWithAModel(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.path + "/a/library.db"
    let libraries = [try FeedLibrary(path: path), try FeedLibrary(path: path)]
    var model = Model()
    for step in 0..<120 {
      let library = libraries[Int.random(in: 0...1, using: &random)]
      try perform(library, &model, &random, "seed \(seed), step \(step)")
      let reader = libraries[Int.random(in: 0...1, using: &random)]
      try compare(reader, model, "seed \(seed), step \(step)")
    }
    #expect(try libraries[0].brokenInvariants() == [], "seed \(seed)")
  }

  private func perform(
    _ library: FeedLibrary, _ model: inout Model, _ random: inout SeededGenerator, _ note: Comment
  ) throws {
    model.now += Double(Int.random(in: 0...(3 * 86_400), using: &random))
    let address = "http://x/\(Int.random(in: 0..<4, using: &random))"
    let feed = try library.feed(at: address)
    switch Int.random(in: 0..<20, using: &random) {
    case 0...2:
      model.follow(address)
      _ = try library.follow(address, at: model.now)
    case 3:
      guard let feed else { return }
      let purge = Int.random(in: 0..<3, using: &random) == 0
      model.leave(address, purge: purge)
      try library.leave(feed.id, purge: purge)
    case 4...11:
      guard let feed else { return }
      var document: [(guid: String, date: Double, version: Int)] = []
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        let guid = Int.random(in: 0..<12, using: &random)
        guard !document.contains(where: { $0.guid == "\(guid)" }) else { continue }
        let age = Double(Int.random(in: -10...400, using: &random)) * day
        document.append(("\(guid)", model.now - age, Int.random(in: 1...2, using: &random)))
      }
      document.sort { $0.date > $1.date }
      let before = Set(model.items.map(\.id))
      model.fetch(address, document)
      let changes = try library.recordFetch(
        FetchRecord(document.map { NewItem($0.guid, published: $0.date, version: $0.version) }),
        of: feed.id, at: model.now)
      let added = model.items.filter { !before.contains($0.id) }
      #expect(changes.added.map(\.item.rawValue) == added.map(\.id).sorted(), note)
      #expect(
        changes.unread.items.map(\.rawValue) == added.filter(\.isUnread).map(\.id).sorted(), note)
    case 12...16:
      let ids = Set(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in
          Int64.random(in: 1...(model.nextID + 2), using: &random)
        })
      let mark = Mark.allCases[Int.random(in: 0..<4, using: &random)]
      let marking = try library.mark(
        ItemRanges(ids.map { ItemID($0) }), as: mark, at: model.now)
      #expect(marking.items.items.map(\.rawValue) == model.mark(mark, ids), note)
    case 17...18:
      let undone = try library.undoMarking(at: model.now)
      #expect(undone?.items.items.map(\.rawValue) == model.undo(), note)
    default:
      model.now += Double(Int.random(in: 0...200, using: &random)) * day
      #expect(
        try library.deleteAgedItems(at: model.now).map(\.rawValue) == model.age(), note)
    }
  }

  private func compare(_ library: FeedLibrary, _ model: Model, _ note: Comment) throws {
    let timeline = model.timeline
    #expect(
      try library.places(after: nil, count: 1_000).map(\.item.rawValue) == timeline.map(\.id), note)
    #expect(
      try library.lines()
        == timeline.map { "{\"id\":\"\($0.guid)\",\"version\":\($0.version)}" }, note)
    #expect(
      try library.unreadItems().items.map(\.rawValue)
        == model.items.filter(\.isUnread).map(\.id).sorted(), note)
    #expect(
      try library.savedItems().items.map(\.rawValue)
        == model.items.filter(\.isSaved).map(\.id).sorted(), note)
    let feeds = try library.feeds(includeLeft: true)
    #expect(Set(feeds.map(\.address)) == Set(model.feeds.map(\.address)), note)
    #expect(feeds.filter(\.isFollowed).count == model.feeds.filter { $0.since != nil }.count, note)
    for feed in feeds {
      let items = model.items.filter { $0.feed == feed.address }
      #expect(feed.unreadCount == items.filter(\.isUnread).count, note)
      #expect(
        try library.newestPlaces(1_000, in: .feed(feed.id)).map(\.item.rawValue)
          == timeline.filter { $0.feed == feed.address }.map(\.id), note)
    }
  }
}

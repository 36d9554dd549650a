import Feeds
import TestSupport
import Testing
import VirtualList

@testable import TimelineStore

@Suite struct DocumentRowsTests {
  @Test func pendingRowsAreThoseThatAreReadLater() async throws {
    let folder = try TemporaryFolder()
    let items = (0..<200).map {
      "<item><guid>\($0)</guid><description>The tide of day \($0) is high.</description></item>"
    }
    let feed = "<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>"
    let path = try folder.write(feed, to: "feed.xml")
    let reader = try SourceReader(source: .file(path), format: nil, transport: nil)
    var rows = DocumentRows()
    rows.append(try #require(try await reader.next()))
    #expect(rows.arePending && rows.count == 200 && rows.read.count < 200)
    let early = (0..<200).map { rows.post(at: $0) }
    let ids = (0..<200).map { rows.id(at: $0) }
    let length = try #require(rows.textLength(ofRows: 0..<200))
    while let batch = try await reader.next() { rows.append(batch) }
    #expect(!rows.arePending && rows.count == 200 && rows.read.count == 200)
    #expect((0..<200).map { rows.post(at: $0) } == early)
    #expect((0..<200).map { rows.id(at: $0) } == ids)
    #expect(ids.allSatisfy { rows.id(at: rows.row(of: $0) ?? -1) == $0 })
    let exact = try #require(rows.textLength(ofRows: 0..<200))
    #expect(exact > 200 && abs(length - exact) < exact / 4)
  }
}

import Feeds
import Testing

@testable import TimelineStore

/// Posts read from their bytes, and those kept of them.
@MainActor @Suite struct FilePostReaderTests {
  private let file: FileBytes
  private let index = RowIndex()
  private let bytes = Array("ebb\n\nflood and slack\n".utf8)

  init() throws {
    file = try SpoolFile.make(in: SpoolFile.temporaryFolder)
    let (count, _) = bytes.withUnsafeBytes { file.write($0, at: 0) }
    #expect(count == bytes.count)
  }

  /// A reader of the rows in the first `count` bytes, of which the last has not ended.
  private func open(_ count: Int) -> (FilePostReader, RowLocator, RowIndexBuilder) {
    var builder = RowIndexBuilder(format: .text, offset: 0)
    bytes[..<count].withUnsafeBytes { builder.consume($0) }
    builder.commitWithOpenRow(to: index)
    let rows = RowLocator(file: file, format: .text, index: index, head: DocumentHead())
    let archive = Archive(source: "", pictures: nil)
    return (FilePostReader(file: file, format: .text, rows: rows, archive: archive), rows, builder)
  }

  @Test func aPostIsReadOnceUntilTheMetadataChanges() {
    let (reader, _, _) = open(10)
    let first = reader.post(at: 1)
    let read = file.bytesReadByPosition
    #expect(reader.post(at: 1) == first)
    #expect(file.bytesReadByPosition == read)
    #expect(reader.count == 1)
    reader.adopt(DocumentHead())
    #expect(reader.count == 0)
    #expect(reader.post(at: 1) == first)
  }

  @Test func theLastRowIsReadAgainWhenTheIndexFindsItLonger() {
    var (reader, rows, builder) = open(10)
    #expect(rows.openRow == 1)
    #expect(reader.post(at: 1).body.plainText == "flood")
    bytes[10...].withUnsafeBytes { builder.consume($0) }
    builder.finish()
    builder.commit(to: index, isComplete: true)
    let changed = reader.forgetPosts(changedBy: index.progress)
    #expect(changed == [1])
    guard case .rows([], [], [1])? = rows.adopt(index.progress, reloading: changed) else {
      Issue.record("only the last row is reloaded")
      return
    }
    #expect(rows.openRow == nil)
    #expect(reader.post(at: 1).body.plainText == "flood and slack")
  }
}

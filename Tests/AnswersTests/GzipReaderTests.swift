import FoundationEssentials
import TestSupport
import Testing

@testable import Answers

@Suite struct GzipReaderTests {
  private let text = Array(String(repeating: "ebb and flood ", count: 20).utf8)

  @Test func severalMembersAreOneFile() {
    let packed = TestArchive.gzip(text)
    #expect(GzipReader.unpacked(packed + packed, limit: 1_000) == text + text)
    #expect(GzipReader.unpacked(packed, limit: text.count) == text)
    #expect(GzipReader.unpacked(packed, limit: text.count - 1) == nil)
  }

  @Test func truncatedDataIsUnpackedAsFarAsItGoes() {
    let packed = TestArchive.gzip(text)
    for count in 0..<packed.count {
      let unpacked = GzipReader.unpacked(Array(packed.prefix(count)), limit: 1_000) ?? []
      #expect(text.starts(with: unpacked))
    }
  }
}

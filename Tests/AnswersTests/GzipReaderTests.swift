import FoundationEssentials
import HTTP
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

  /// An answer that ends before its first unpacked byte is not an empty one.
  @Test func everyTruncationIsNoticed() {
    let packed = TestArchive.gzip(text)
    for count in 3...packed.count {
      let unpacker = AnswerUnpacker()
      unpacker.add(Array(packed.prefix(count)))
      while !unpacker.next().isEmpty {}
      while !unpacker.finish().isEmpty {}
      let expected: HTTPError? =
        count < packed.count ? .truncated(expected: nil, received: count) : nil
      #expect(unpacker.failure == expected, "\(count) bytes")
    }
  }

  @Test func truncatedDataIsUnpackedAsFarAsItGoes() {
    let packed = TestArchive.gzip(text)
    for count in 0..<packed.count {
      let unpacked = GzipReader.unpacked(Array(packed.prefix(count)), limit: 1_000) ?? []
      #expect(text.starts(with: unpacked))
    }
  }
}

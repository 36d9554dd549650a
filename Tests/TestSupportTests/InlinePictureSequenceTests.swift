import FoundationEssentials
import TestSupport
import Testing

/// The model detects sequences that terminals refuse or misunderstand.
@Suite struct InlinePictureSequenceTests {
  private static let png = PNGFile.stored(width: 2, height: 1) { _ in [9, 8, 7, 6, 5, 4] }
  private static let keys =
    "inline=1;width=2;height=1;preserveAspectRatio=0;size=\(png.count);doNotMoveCursor=1"

  private func sequence(
    _ keys: String = Self.keys, _ content: [UInt8] = Self.png, end: String = "\u{1B}\\"
  ) -> InlinePictureSequence? {
    let text = Data(content).base64EncodedString()
    return InlinePictureSequence(
      Array("\u{1B}]1337;File=\(keys):\(text)\(end)".utf8), row: 3, column: 4)
  }

  @Test func aWholeSequenceIsClean() throws {
    let found = try #require(sequence())
    #expect(found.violations == [])
    #expect((found.row, found.column, found.rows, found.columns) == (3, 4, 1, 2))
    #expect(found.file?.pixels == [9, 8, 7, 255, 6, 5, 4, 255])
    #expect(sequence("inline=1") == nil)
    #expect(InlinePictureSequence(Array("\u{1B}]0;title\u{7}".utf8), row: 0, column: 0) == nil)
  }

  @Test(arguments: [
    ("inline=1", "inline=0", "inline=0"), ("size=", "size=1", "for \(Self.png.count) bytes"),
    ("preserveAspectRatio=0;", "", "preserveAspectRatio="),
    (";doNotMoveCursor=1", "", "doNotMoveCursor="), ("inline=1", "inline=1;name=YQ==", "name"),
    ("width=2", "width=256", "256x1 cells"), ("height=1", "height=256", "2x256 cells"),
  ]) func wrongKeysAreFound(key: String, replacement: String, violation: String) {
    let keys = Self.keys.replacing(key, with: replacement)
    let found = sequence(keys)?.violations ?? []
    #expect(found.contains { $0.contains(violation) }, "\(found)")
  }

  @Test func wrongContentIsFound() {
    #expect(sequence(end: "\u{7}")?.violations == ["no ST at its end"])
    let cut = Array(Self.png.dropLast())
    let keys = Self.keys.replacing("size=\(Self.png.count)", with: "size=\(cut.count)")
    #expect(sequence(keys, cut)?.violations == ["no whole PNG"])
    let long = sequence(Self.keys, [UInt8](repeating: 0, count: 800_000))?.violations ?? []
    #expect(long.contains { $0.hasPrefix("a sequence of ") })
  }
}

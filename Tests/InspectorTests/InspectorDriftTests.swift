import ConstraintLayout
import Geometry
import Terminal
import TerminalViews
import Testing
import TextLayout
import VirtualList

@testable import Inspector

/// A list of texts drawn as on a screen, and the drift meter that observes it.
@MainActor private final class Watched: ListViewDataSource {
  final class TextCell: ListViewCell {
    let label = Label(name: "label")
    /// The least height at a width; `nil` for the label's.
    private let least: ((Int) -> Int)?

    init(least: ((Int) -> Int)?) {
      self.least = least
      super.init(name: "cell")
      addSubview(label)
      label.top(to: self)
      label.leading(to: self)
      label.trailing(to: self)
      if least == nil { label.bottom(to: self) }
    }

    override func heightThatFits(width: Int) -> Int {
      max(super.heightThatFits(width: width), least?(width) ?? 0)
    }

    override var placeProviders: [any PlaceProviding] { [label] }
  }

  var texts: [String]
  let list = ListView(name: "list")
  var meter = DriftMeter()

  init(
    _ texts: [String], width: Int = 31, height: Int = 10, least: ((Int) -> Int)? = nil
  ) {
    self.texts = texts
    list.register({ TextCell(least: least) }, forCellReuseIdentifier: "text")
    list.frame = Rect(x: 0, y: 0, width: width, height: height)
    list.dataSource = self
    frame()
  }

  func numberOfRows(in listView: ListView) -> Int { texts.count }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = list.dequeueReusableCell(withIdentifier: "text", for: indexPath)
    (cell as? TextCell)?.label.text = StyledText(texts[indexPath.row])
    return cell
  }

  /// Draws a frame of the list's size and passes it to the meter.
  func frame() {
    list.layoutList()
    var canvas = Canvas(size: list.frame.size)
    list.render(into: &canvas, origin: .zero)
    meter.observe(list, on: canvas)
  }

  func move(_ lines: Int) {
    list.scroll(byLines: lines)
    meter.noteMove()
    frame()
  }

  func resize(width: Int, height: Int) {
    list.frame = Rect(x: 0, y: 0, width: width, height: height)
    frame()
  }

  /// Changes a row's text, as an arrival would.
  func change(row: Int, to text: String) {
    texts[row] = text
    (list.cellForRow(at: IndexPath(row: row)) as? TextCell)?.label.text = StyledText(text)
    frame()
  }
}

@MainActor @Suite struct InspectorDriftTests {
  private static func text(_ row: Int, words: Int) -> String {
    (0..<words).map { "w\(row)n\($0)" }.joined(separator: " ")
  }

  private func watched() -> Watched {
    Watched((0..<20).map { Self.text($0, words: 30) })
  }

  /// At another width, words read from right to left stand in another order of cells.
  @Test(arguments: [
    "وفي المساء يعودون والريح خلفهم والمنارة أمامهم ورائحة الخبز من البيوت تدلهم على الطريق",
    "The keeper wrote وفي المساء يعودون والريح خلفهم في الدفتر in the book, and 12 more of them",
    "הגל עולה בשעה 12 וגם בערב אחרי שהרוח נרגעת והסירות חוזרות אל הנמל הישן ליד המגדלור",
    // Lines of Latin letters alone.
    "הגל עולה בשעה תשע לפי Almanac of the Old Harbour, third edition, וגם בערב אחרי שהרוח נרגעת "
      + "והסירות חוזרות אל הנמל הישן ליד המגדלור",
  ])
  func rightToLeftTextIsFoundByItsCharacters(text: String) {
    func frame(_ width: Int) -> TextFrame {
      TextFrame(
        StyledText(text), width: width, metrics: TextMetrics(reordersRightToLeft: true))
    }
    func drawn(_ frame: TextFrame) -> DrawnText {
      let lines = frame.lines.indices.map { line in
        frame.fragments(ofLine: line).flatMap { $0.text.unicodeScalars.map { CanvasCell($0) } }[...]
      }
      return DrawnText(lines, reorders: true)
    }
    let before = frame(31)
    for width in [30, 29, 26, 23, 37, 44, 31] {
      let after = frame(width)
      for line in before.lines.indices {
        let range = before.lines[line].range
        // Blanks may follow the last visible character.
        let blanks = text.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)
          .reversed().prefix { $0 == " " }.count
        let expected = [range.lowerBound, range.upperBound - 1 - blanks].compactMap { character in
          after.lines.lastIndex { $0.range.lowerBound <= character }
        }
        let found = drawn(after).lines(of: drawn(before), line: line)
        #expect(found == expected[0]...expected[1], "line \(line), \(width) columns")
      }
    }
  }

  @Test func aMoveOfTheReadersIsNoDrift() {
    let watched = watched()
    watched.move(7)
    #expect(watched.meter.reading == .lines(0))
    #expect(watched.meter.worst == 0)
  }

  @Test(arguments: [1, 2, 5, -1, -3])
  func unintendedMovesAreDrift(lines: Int) {
    let watched = watched()
    watched.move(12)
    watched.list.scroll(byLines: lines)
    watched.frame()
    #expect(watched.meter.reading == .lines(-lines))
    #expect(watched.meter.worst == abs(lines))
  }

  @Test func textOffTheScreenIsLost() {
    let watched = watched()
    watched.list.scrollToRow(at: IndexPath(row: 15), at: .top)
    watched.frame()
    #expect(watched.meter.reading == .lost)
  }

  @Test func theWorstDriftIsRemembered() {
    let watched = watched()
    watched.move(12)
    watched.list.scroll(byLines: 3)
    watched.frame()
    watched.list.scroll(byLines: -3)
    watched.frame()
    #expect(watched.meter.reading == .lines(0))
    #expect(watched.meter.worst == 3)
  }

  /// The same characters stay at the top edge, although the lines are broken elsewhere.
  @Test func everyWidthKeepsThePlace() {
    let watched = watched()
    for lines in [1, 3, 4, 9] {
      watched.move(lines)
      for width in [30, 29, 24, 18, 13, 40, 57, 31] {
        watched.resize(width: width, height: 10)
        #expect(watched.meter.reading == .lines(0), "\(lines) lines on, \(width) columns")
      }
    }
    #expect(watched.meter.worst == 0)
  }

  /// The text repeats one sentence; the right occurrence must be found.
  @Test func repeatsAreDistinguished() {
    let text = Array(repeating: "the same words again", count: 60).joined(separator: " ")
    let watched = Watched([text, text])
    watched.move(9)
    for width in [20, 33, 47, 31] { watched.resize(width: width, height: 10) }
    #expect(watched.meter.worst == 0)
    watched.list.scroll(byLines: 2)
    watched.frame()
    #expect(watched.meter.reading != .lines(0))
  }

  @Test func rowsThatGrowAboveAndOnTheScreenMoveNothing() {
    let watched = watched()
    watched.move(12)
    let top = watched.list.topPosition?.row ?? 0
    watched.change(row: top - 1, to: Self.text(top - 1, words: 90))
    watched.change(row: top + 1, to: Self.text(top + 1, words: 3))
    #expect(watched.meter.reading == .lines(0))
    #expect(watched.meter.worst == 0)
  }

  /// Of the blank lines below a text the row's last one may stand for another, which a shorter row does
  /// not have, also after a move that does not scroll.
  @Test func blankLinesBelowATextAreAlike() {
    let watched = Watched((0..<20).map { Self.text($0, words: 3) }, least: { $0 / 3 })
    watched.move(8)
    watched.resize(width: 16, height: 10)
    #expect(watched.list.topPosition.map { $0 == (0, 4) } == true)
    watched.meter.noteMove()
    watched.frame()
    watched.resize(width: 31, height: 10)
    #expect(watched.list.topPosition.map { $0 == (0, 8) } == true)
    #expect(watched.meter.reading == .lines(0))
    watched.list.scroll(byLines: -6)
    watched.frame()
    #expect(watched.meter.reading == .lines(2))
  }

  @Test func theEndOfTheListIsNoDrift() {
    let watched = watched()
    for _ in 0..<30 { watched.move(9) }
    let last = watched.list.numberOfRows - 1
    watched.change(row: last, to: "short")
    #expect(watched.meter.reading == .lines(0))
    #expect(watched.meter.endCorrection > 0)
  }

  @Test func whileFollowingTheLastLineIsWatched() {
    let watched = watched()
    watched.list.scrollToEnd()
    watched.meter.noteMove()
    watched.frame()
    let last = watched.list.numberOfRows - 1
    watched.change(row: last, to: Self.text(last, words: 60))
    #expect(watched.meter.isFollowing)
    #expect(watched.meter.reading == .lines(0))
  }
}

import ConstraintLayout
import Geometry
import ImageDecoding
import Testing
import TextLayout
import TimelineUI

@testable import DemoContent
@testable import Demos

/// The layout of the demos' rows, without a terminal.
@MainActor @Suite struct DemoLayoutTests {
  private func frames(_ demo: Demo, options: DemoOptions = DemoOptions()) throws -> DemoFrames {
    try DemoFrames(demo, options: options, decoder: SystemImageDecoder())
  }

  private func view(_ name: String, of layout: RowLayout) throws -> Rect {
    try #require(layout.views[name], "row \(layout.row) has no view \(name)")
  }

  /// The selection bar is drawn in the first column.
  @Test(arguments: Demo.allCases) func theFirstColumnIsLeftFree(demo: Demo) throws {
    var frames = try frames(demo)
    for width in [20, 40, 100] {
      for row in 0..<min(12, frames.rowCount) {
        for isPending in [false, true] {
          let layout = try frames.layout(row: row, width: width, isPending: isPending)
          let inside = layout.views.filter { !$0.value.isEmpty }
          #expect(!inside.isEmpty)
          for (name, frame) in inside where frame.minX < SelectionBar.width {
            Issue.record("\(name) of row \(row) at \(width) columns: \(frame)")
          }
        }
      }
    }
  }

  // MARK: slack

  @Test func slackIsNeverSmallerThanItsIconAndFollowsItsText() throws {
    var frames = try frames(.slack)
    #expect(frames.rowCount == 400)
    let text = try DemoContent.texts().slack
    for width in 20...200 {
      for row in [0, 1, 2, 3, 5, 8, 21] {
        let layout = try frames.layout(row: row, width: width, isPending: false)
        let (icon, comment) = (try view("icon", of: layout), try view("comment", of: layout))
        let said = String(repeating: text, count: row + 1)
        let lines = TextFrame(StyledText(said), width: width - 11).lines.count
        #expect(icon == Rect(x: 1, y: 1, width: 8, height: 4))
        #expect(comment == Rect(x: 10, y: 3, width: width - 11, height: lines))
        #expect(layout.size == Size(width: width, height: max(icon.maxY, comment.maxY) + 1))
        let holder = lines < 2 ? "icon" : lines == 2 ? "both" : "comment"
        #expect(layout.activeBottom == holder, "row \(row) at \(width) columns")
        #expect(layout.broken.isEmpty)
      }
    }
  }

  @Test func theLastSlackRowsAreManyScreensTall() throws {
    var frames = try frames(.slack)
    let layout = try frames.layout(row: 399, width: 80, isPending: false)
    #expect(layout.size.height > 240)
    #expect(try view("comment", of: layout).maxY + 1 == layout.size.height)
  }

  @Test func anEmptyCommentHasNoHeight() throws {
    let cell = SlackCell(pictures: .unconnected())
    cell.configure(name: "gauge", comment: "", icon: "")
    for width in [20, 80, 200] {
      #expect(cell.heightThatFits(width: width) == 6)
      cell.layout(width: width, height: 6)
      let layout = RowLayout(row: 0, cell: cell)
      #expect(try view("comment", of: layout) == Rect(x: 10, y: 3, width: width - 11, height: 0))
      #expect(layout.activeBottom == "icon")
      #expect(layout.broken.isEmpty)
    }
  }

  @Test func slackSwitchesNothing() throws {
    var frames = try frames(.slack)
    let labels = try (0..<12).map { row in
      try frames.layout(row: row, width: 60, isPending: false).constraints.map(\.label)
    }
    #expect(Set(labels).count == 1)
    #expect(labels[0].compactMap { $0 }.filter { $0.contains("to-bottom") }.count == 3)
  }

  // MARK: autolayout

  @Test func autolayoutSwitchesExactlyWhereTheLabelPassesTheIcon() throws {
    var frames = try frames(.autolayout)
    #expect(frames.rowCount == 15)
    var holders: [Int: Set<String>] = [:]
    for width in 20...200 {
      for row in 0..<5 {
        let layout = try frames.layout(row: row, width: width, isPending: false)
        let (icon, label) = (try view("icon", of: layout), try view("label", of: layout))
        let holder = icon.maxY > label.maxY ? "icon" : "label"
        #expect(layout.activeBottom == holder, "row \(row) at \(width) columns")
        #expect(layout.size.height == max(icon.maxY, label.maxY) + 1)
        #expect(icon.minY == 1 && label.minY == icon.minY)
        // A quarter of the row and square in pixels; edges are rounded, so either may be one off.
        #expect(abs(Double(icon.width) - Double(width) / 4) <= 1)
        #expect(abs(Double(icon.height) - Double(width) / 8) <= 1)
        let bottoms = layout.constraints.filter { $0.label?.hasPrefix("bottom-to-") == true }
        #expect(bottoms.map(\.priority) == [.defaultHigh, .defaultHigh])
        #expect(bottoms.filter(\.isActive).map(\.label) == ["bottom-to-\(holder)"])
        #expect(layout.broken.isEmpty)
        holders[row, default: []].insert(holder)
      }
    }
    #expect(holders[1] == ["icon", "label"])
    #expect(holders[0] == ["icon"])
  }

  /// The demo shows the widths at which its first row switches, and begins with a row that does.
  @Test func autolayoutKnowsWhereItSwitches() throws {
    let demo = try AutolayoutDemo(pictures: .unconnected(), options: DemoOptions())
    var frames = try frames(.autolayout)
    let cell = AutolayoutCell(pictures: .unconnected())
    for row in 0..<5 {
      cell.configure(with: demo.items[row])
      cell.layout(width: 80, height: cell.heightThatFits(width: 80))
      if let width = cell.switchWidth {
        let above = try frames.layout(row: row, width: width, isPending: false)
        let below = try frames.layout(row: row, width: width - 1, isPending: false)
        #expect([above.activeBottom, below.activeBottom] == ["icon", "label"], "row \(row)")
      }
      #expect(cell.layoutNote.hasPrefix("the icon") == (cell.switchWidth == nil))
      if row == demo.firstRow {
        #expect(cell.layoutNote == "the label takes over below 76 columns; now 80")
        // From where the inspector opens to the switch, the row gets at least two lines lower.
        let widest = try #require(cell.widestInspectedWidth)
        let opened = try frames.layout(row: row, width: widest, isPending: false)
        let switched = try frames.layout(row: row, width: 76, isPending: false)
        #expect(widest < 76 && opened.size.height >= switched.size.height + 2)
      }
    }
  }

  @Test(arguments: [("en", 1), ("de", 1), ("ja", 3), ("ar", 4), ("", 1)])
  func autolayoutBeginsWithATextThatTheUserReads(language: String, row: Int) throws {
    let options = DemoOptions(language: language)
    let demo = try AutolayoutDemo(pictures: .unconnected(), options: options)
    #expect(demo.firstRow == row)
  }

  /// `<` and `>` lead to the nearest widths at which the row has another height.
  @Test func slackKnowsWhereItsHeightChanges() throws {
    let demo = try SlackDemo(pictures: .unconnected(), options: DemoOptions())
    var frames = try frames(.slack)
    let cell = SlackCell(pictures: .unconnected())
    for row in [0, 1, 3] {
      demo.configure(cell, row: row)
      cell.layout(width: 60, height: cell.heightThatFits(width: 60))
      #expect(!cell.switchWidths.isEmpty)
      for width in cell.switchWidths {
        let above = try frames.layout(row: row, width: width, isPending: false)
        let below = try frames.layout(row: row, width: width - 1, isPending: false)
        #expect(above.size.height < below.size.height, "row \(row) at \(width)")
      }
    }
  }

  @Test func theOwnWidthIsTheScreensAndGivesWay() throws {
    var frames = try frames(.autolayout)
    let layout = try frames.layout(row: 0, width: 79, isPending: false)
    let own = try #require(layout.constraints.first { $0.label == "own-width" })
    #expect(own.constant == 80)
    #expect(own.priority == .defaultHigh)
    #expect(layout.size.width == 79)
  }

  @Test func aRequiredOwnWidthIsReportedToTheNotesAlone() {
    let handler = LayoutConflict.onConflict
    defer { LayoutConflict.onConflict = handler }
    var count = 0
    LayoutConflict.onConflict = { _ in count += 1 }
    let report = AutolayoutCell.reportOfRequiredWidth(pictures: .unconnected())
    #expect(report.hasPrefix("Unable to simultaneously satisfy constraints."))
    #expect(report.contains("'Encapsulated-Layout-Width' cell.width == 79"))
    #expect(report.contains("Will attempt to recover by breaking constraint\n<'own-width'"))
    #expect(count == 0)
  }

  // MARK: tweets

  @Test func tweetsHaveTheSizeThatFits() throws {
    var frames = try frames(.tweets)
    #expect(frames.rowCount == 200)
    let demo = try TweetsDemo(pictures: .unconnected(), options: DemoOptions())
    let cell = TweetCell(pictures: .unconnected())
    for width in [1, 5, 20, 41, 80, 200] {
      for row in 0..<200 {
        let layout = try frames.layout(row: row, width: width, isPending: false)
        cell.configure(with: demo.items[row])
        let size = cell.sizeThatFits(Size(width: width, height: 0), layout: false)
        #expect(layout.size == size)
        #expect(cell.sizeThatFits(size, layout: true) == size)
        #expect(RowLayout(row: row, cell: cell).views == layout.views)
        let bottoms = [try view("icon", of: layout).maxY, try view("status", of: layout).maxY]
        #expect(size.height == max(bottoms[0], bottoms[1]) + 1)
        #expect(layout.measuredBy == "sizeThatFits")
        #expect(layout.constraints.isEmpty)
      }
    }
    #expect(cell.layoutStatistics.builds == 0)
  }

  // MARK: placeholders

  @Test func placeholdersAreTenToTwentyRowsHigh() throws {
    var frames = try frames(.placeholders)
    #expect(frames.rowCount == 100)
    var heights: Set<Int> = []
    for row in 0..<100 {
      let pending = try frames.layout(row: row, width: 80, isPending: true)
      #expect(try view("picture", of: pending) == Rect(x: 2, y: 0, width: 40, height: 15))
      #expect(pending.size.height == 17)
      let layout = try frames.layout(row: row, width: 80, isPending: false)
      let picture = try view("picture", of: layout)
      #expect(picture.width == 40)
      #expect((10...20).contains(picture.height))
      #expect(try view("caption", of: layout).minY == picture.maxY)
      #expect(layout.size.height == picture.maxY + 2)
      for layout in [pending, layout] {
        #expect(layout.broken.isEmpty)
        let aspects = layout.constraints.filter { $0.label == "aspect" }
        #expect(aspects.count == (layout.size == pending.size && aspects.isEmpty ? 0 : 1))
      }
      heights.insert(picture.height)
    }
    #expect(heights.count > 8)
  }

  @Test func theSeedFixesThePlaceholders() throws {
    func heights(_ seed: UInt64) throws -> [Int] {
      var frames = try frames(.placeholders, options: DemoOptions(seed: seed))
      return try (0..<100).map {
        try frames.layout(row: $0, width: 80, isPending: false).size.height
      }
    }
    let third = try heights(3)
    #expect(try heights(3) == third)
    #expect(try heights(4) != third)
  }

  // MARK: moments

  @Test func momentsFollowTheirPictures() throws {
    var frames = try frames(.moments)
    let demo = try MomentsDemo(pictures: .unconnected(), options: DemoOptions())
    var shapes: Set<String> = []
    for row in 0..<frames.rowCount {
      let pending = try frames.layout(row: row, width: 80, isPending: true)
      let layout = try frames.layout(row: row, width: 80, isPending: false)
      #expect(try view("picture", of: pending).height == 0)
      let (title, content) = (try view("title", of: layout), try view("content", of: layout))
      #expect(title.height == 1)
      #expect((1...4).contains(content.height))
      let picture = try view("picture", of: layout)
      #expect(picture.width == MomentCell.pictureWidth)
      #expect(layout.size.height == content.maxY + picture.height + 1)
      #expect((picture.height > 0) == (demo.items[row].picture != nil))
      if picture.height > 0 { shapes.insert(picture.height > 12 ? "upright" : "wide") }
      #expect(pending.broken.isEmpty && layout.broken.isEmpty)
    }
    #expect(shapes == ["upright", "wide"])
  }

  @Test func aConflictIsProvokedInOneRowAndOneConstraintBroken() throws {
    let handler = LayoutConflict.onConflict
    defer { LayoutConflict.onConflict = handler }
    var reports: [String] = []
    LayoutConflict.onConflict = { reports.append($0.report) }
    var calm = try frames(.moments)
    for row in 0..<calm.rowCount {
      for width in [20, 27, 80, 131] {
        let layout = try calm.layout(row: row, width: width, isPending: false)
        #expect(layout.broken.isEmpty, "row \(row) at \(width) columns")
      }
    }
    #expect(reports.isEmpty)

    var provoked = try frames(.moments, options: DemoOptions(provokesConflict: true))
    let layout = try provoked.layout(row: 0, width: 80, isPending: false)
    #expect(layout.broken.map(\.label) == ["picture-height"])
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.hasPrefix("Unable to simultaneously satisfy constraints."))
    #expect(report.contains("'Encapsulated-Layout-Height' cell.height == 4"))
    #expect(report.contains("(MomentCell.swift:"))
    #expect(report.contains("Will attempt to recover by breaking constraint\n<'picture-height'"))
    // Everything else is kept: the text has its usual place, and all other rows are unchanged.
    #expect(try view("content", of: layout) == Rect(x: 2, y: 1, width: 77, height: 2))
    for row in 1..<provoked.rowCount {
      let layout = try provoked.layout(row: row, width: 80, isPending: false)
      let expected = try calm.layout(row: row, width: 80, isPending: false)
      #expect(layout.json == expected.json)
    }
    #expect(reports.count == 1)
  }

  // MARK: Reuse

  @Test(arguments: Demo.allCases) func aReusedCellEqualsANewOne(demo: Demo) throws {
    var used = try frames(demo)
    let rows = Array(0..<15)
    for row in rows + rows.reversed() {
      for isPending in [false, true] {
        var new = try frames(demo)
        let expected = try new.layout(row: row, width: 60, isPending: isPending).json
        let found = try used.layout(row: row, width: 60, isPending: isPending).json
        #expect(found == expected)
      }
    }
  }

  @Test(arguments: Demo.allCases) func aReusedCellAddsNoConstraintTwice(demo: Demo) throws {
    var frames = try frames(demo)
    func count(_ row: Int) throws -> Int {
      try frames.layout(row: row, width: 60, isPending: false).constraints.filter(\.isActive).count
    }
    let counts = try (0..<15).map { try count($0) }
    for _ in 0..<5 {
      for row in 0..<15 {
        let again = try count(row)
        #expect(again == counts[row])
      }
    }
  }
}

import Testing
import TextLayout
import TimelineUI

@testable import DemoContent
@testable import Demos

/// What the demos claim about their rows.
@MainActor @Suite struct DemoComparisonTests {
  /// The comparison is fair: constraints give the heights of the function.
  @Test func constraintsGiveTheHeightsOfTheFunction() throws {
    let demo = try TweetsDemo(pictures: .unconnected(), options: DemoOptions())
    let byFunction = TweetCell(pictures: .unconnected())
    let byConstraints = ConstraintTweetCell(pictures: .unconnected())
    for width in [20, 43, 79, 131] {
      for item in demo.items.prefix(60) {
        byFunction.setTexts(of: item)
        byConstraints.setTexts(of: item)
        #expect(
          byConstraints.heightThatFits(width: width) == byFunction.heightThatFits(width: width))
      }
    }
  }

  /// The neighbours of the nearest widths have other heights, and those between have the same.
  @Test func theNearestChangesAreFound() {
    func height(_ width: Int) -> Int { 400 / width }
    for width in 13...239 {
      let found = HeightChanges.nearest(to: width, of: height)
      if let narrower = found.narrower {
        #expect(narrower <= width && height(narrower) == height(width))
        #expect(height(narrower - 1) != height(width))
      }
      if let wider = found.wider {
        #expect(wider > width && height(wider) != height(width))
        #expect(height(wider - 1) == height(width))
      }
    }
    #expect(HeightChanges.nearest(to: 50) { _ in 3 } == (nil, nil))
  }

  @Test func twoOfThreeRowsShareAPicture() {
    let pictures = (0..<9).map { QueueDemo.picture(ofRow: $0) }
    #expect(pictures == [1, 2, 2, 3, 4, 4, 5, 6, 6])
  }

  @Test func rowsOfTheListAreTheSameWheneverTheyAreShown() throws {
    let demo = try ListDemo(pictures: .unconnected(), options: DemoOptions())
    #expect(demo.rowCount == 10_000_000)
    let texts = [0, 1, 4_711, 9_999_999].map { demo.text(ofRow: $0) }
    #expect(texts == [0, 1, 4_711, 9_999_999].map { demo.text(ofRow: $0) })
    #expect(Set(texts).count == 4)
  }

  @Test func keysOfCaptionsAreEmphasized() throws {
    let caption = DemoCaption.text("wide: `<` goes back")
    let paragraph = try #require(caption.paragraphs.first)
    #expect(paragraph.string == "wide: < goes back")
    #expect(paragraph.runs.contains { $0.range == 6..<7 && $0.style.traits.contains(.bold) })
  }
}

import ConstraintLayout
import Geometry
import Testing

@MainActor @Suite struct LayoutConflictTests {
  /// Runs `body` and returns the conflicts it caused.
  private func conflicts(_ body: () -> Void) -> [LayoutConflict] {
    var found: [LayoutConflict] = []
    LayoutConflict.onConflict = { found.append($0) }
    body()
    LayoutConflict.onConflict = nil
    return found
  }

  private func pictureCell() -> (LayoutItem, LayoutItem, LayoutConstraint) {
    let cell = LayoutItem(name: "cell")
    let picture = LayoutItem(name: "picture")
    cell.addSubitem(picture)
    picture.edgesToSuperview(insets: Insets(top: 1, bottom: 1))
    let height = picture.height(4).labeled("picture height")
    return (cell, picture, height)
  }

  /// The picture arrives while the list still imposes the old height: the edit is given up, not the
  /// imposed height, and it holds again as soon as the list has measured.
  @Test func anImposedHeightOutlivesAnEdit() {
    let (cell, picture, height) = pictureCell()
    cell.layoutIfNeeded(width: 40, height: 6)
    let found = conflicts {
      height.constant = 9
      cell.layoutIfNeeded(width: 40, height: 6)
    }
    #expect(found.count == 1)
    #expect(found.first?.broken === height)
    #expect(found.first?.clashing.count == 4)
    #expect(height.isBroken && height.isActive)
    #expect(cell.brokenConstraints.count == 1)
    #expect(picture.frame.height == 4)
    let report = found.first?.report ?? ""
    #expect(report.hasPrefix("Unable to simultaneously satisfy constraints."))
    #expect(report.contains("'Encapsulated-Layout-Height' cell.height == 6"))
    #expect(report.contains("Will attempt to recover by breaking constraint\n<'picture height'"))
    #expect(report.contains("picture.height == 9 (LayoutConflictTests.swift:"))

    let later = conflicts {
      #expect(cell.systemLayoutSizeFitting(width: 40).height == 11)
      cell.layoutIfNeeded(width: 40, height: 11)
    }
    #expect(later.isEmpty)
    #expect(!height.isBroken)
    #expect(picture.frame.height == 9)
    #expect(cell.brokenConstraints.isEmpty)
  }

  /// Laying out again and again with the same clash reports it once.
  @Test func theSameConflictIsReportedOnce() {
    let (cell, _, height) = pictureCell()
    let found = conflicts {
      cell.layoutIfNeeded(width: 40, height: 6)
      height.constant = 9
      for _ in 0..<5 {
        cell.layoutIfNeeded(width: 40, height: 6)
        _ = cell.systemLayoutSizeFitting(width: 40)
      }
    }
    #expect(found.count == 1)
  }

  /// A cell whose own width is required to be the screen's clashes with the width it is given.
  @Test func aRequiredOwnWidth() {
    let cell = LayoutItem(name: "cell")
    let width = cell.width(80)
    let found = conflicts { cell.layoutIfNeeded(width: 60) }
    #expect(found.map { $0.broken === width } == [true])
    #expect(cell.frame.width == 60)
    width.isActive = false
    width.priority = .defaultHigh
    width.isActive = true
    let later = conflicts { cell.layoutIfNeeded(width: 60) }
    #expect(later.isEmpty)
    #expect(!width.isBroken)
    #expect(cell.frame.width == 60)
  }

  @Test func brokenOnesCanBeTakenOut() {
    let (cell, picture, height) = pictureCell()
    let second = picture.height(7)
    let found = conflicts { cell.layoutIfNeeded(width: 40) }
    #expect(found.map { $0.broken === second } == [true])
    second.isActive = false
    #expect(!second.isBroken)
    height.isActive = false
    second.isActive = true
    let later = conflicts { cell.layoutIfNeeded(width: 40) }
    #expect(later.isEmpty)
    #expect(picture.frame.height == 7)
  }
}

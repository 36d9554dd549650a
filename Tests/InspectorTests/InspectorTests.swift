import ConstraintLayout
import Geometry
import HTTP
import ImageLoading
import Pictures
import Pixels
import Terminal
import TerminalViews
import Testing
import TextLayout

@testable import Inspector
@testable import TerminalApp

/// A cell whose bottom is held by the lower one of two boxes.
@MainActor private final class TwoBoxes: ListViewCell {
  let left = View(name: "left")
  let right = View(name: "right")
  private(set) var toLeft: LayoutConstraint?
  private(set) var toRight: LayoutConstraint?

  init(leftRows: Double, rightRows: Double) {
    super.init(name: "cell")
    addSubview(left)
    addSubview(right)
    left.top()
    left.leading()
    left.width(10)
    left.height(leftRows)
    right.top()
    right.leading(to: left, edge: .trailing)
    right.width(10)
    right.height(rightRows)
    let toLeft = bottomAnchor.constraint(greaterThanOrEqualTo: left.bottomAnchor, constant: 1)
    let toRight = right.bottomAnchor.constraint(lessThanOrEqualTo: bottomAnchor, constant: -1)
    (self.toLeft, self.toRight) = (toLeft.labeled("to-left"), toRight.labeled("to-right"))
    LayoutConstraint.activate([toLeft, toRight])
    layout(width: 40, height: heightThatFits(width: 40))
  }

  var reading: LayoutSnapshot { LayoutSnapshot(of: self) }
}

@MainActor @Suite struct InspectorTests {
  @Test(arguments: [(8.0, 3.0, "to-left", 5.0), (2.0, 6.0, "to-right", 4.0)])
  func theLowerBoxHoldsTheBottom(left: Double, right: Double, holder: String, margin: Double) {
    let reading = TwoBoxes(leftRows: left, rightRows: right).reading
    #expect(reading.holder?.constraint.name == holder)
    #expect(reading.next?.margin == margin)
    #expect(reading.bottoms.map(\.room) == [0, margin])
  }

  @Test func anInactiveConstraintIsListedAndHoldsNothing() throws {
    let cell = TwoBoxes(leftRows: 8, rightRows: 3)
    cell.toLeft?.isActive = false
    cell.layout(width: 40, height: cell.heightThatFits(width: 40))
    let reading = cell.reading
    #expect(reading.holder?.constraint.name == "to-right")
    let inactive = try #require(reading.constraints.first { $0.state == .inactive })
    #expect(inactive.name == "to-left")
    #expect(inactive.slack == -5)
  }

  @Test func brokenConstraintsAreMarked() {
    let cell = TwoBoxes(leftRows: 8, rightRows: 3)
    let clash = cell.left.height(2).labeled("clash")
    cell.layout(width: 40, height: cell.heightThatFits(width: 40))
    let broken = cell.reading.constraints.filter { $0.state == .broken }
    #expect(broken.map(\.name) == ["clash"])
    #expect(clash.isBroken)
  }

  @Test func readingChangesNothing() {
    let cell = TwoBoxes(leftRows: 8, rightRows: 3)
    let before = cell.layoutStatistics
    _ = cell.reading
    #expect(cell.layoutStatistics == before)
    #expect(!cell.needsLayout)
  }

  @Test func framesAreRelativeToTheCell() throws {
    let views = TwoBoxes(leftRows: 8, rightRows: 3).reading.views
    try #require(views.map(\.view.name) == ["cell", "left", "right"])
    #expect(views[2].frame == Rect(x: 10, y: 0, width: 10, height: 3))
  }

  // MARK: Selection

  @Test func viewsAndConstraintsAreSelectedCyclically() {
    let layout = LayoutSnapshot(of: TwoBoxes(leftRows: 3, rightRows: 2))
    var selection = InspectorSelection()
    var hasStepped = selection.stepConstraint(-1, in: layout)
    #expect(hasStepped && selection.constraint === layout.constraints.last?.constraint)
    hasStepped = selection.stepConstraint(1, in: layout)
    #expect(hasStepped && selection.constraint === layout.constraints.first?.constraint)
    selection.stepView(-1, in: layout)
    #expect(selection.view == 2 && selection.constraint == nil)
    let right = layout.views[2].view
    #expect(selection.constraints(in: layout).allSatisfy { $0.concerns(right) })
    selection.stepView(1, in: layout)
    #expect(selection.view == 0)
    #expect(selection.constraints(in: layout).count == layout.constraints.count)
  }

  @Test func edgesAreSelectedCyclically() {
    var selection = InspectorSelection()
    let edges = (0..<5).map { _ in
      selection.stepEdge(1)
      return selection.edge
    }
    #expect(edges == [.right, .top, .left, .bottom, .right])
    selection.stepEdge(4_000_003)
    #expect(selection.edge == .bottom)
    selection.stepEdge(-1)
    #expect(selection.edge == .left)
    selection.stepEdge(-4_000_002)
    #expect(selection.edge == .right)
  }

  // MARK: Frame times

  @Test func theLastSixtyFramesAreKept() {
    var times = FrameTimes()
    #expect(times.recent.isEmpty)
    for time in 1...100 {
      times.begin(at: 1_000 * time)
      times.end(at: 1_001 * time)
    }
    #expect(times.recent == Array(41...100))
  }

  @Test func theSparklineIsAsHighAsTheLongestFrame() {
    #expect(FrameTimes.sparkline([0, 50, 100]) == "▁▄█")
    #expect(FrameTimes.sparkline([]) == "")
    #expect(FrameTimes.sparkline([0, 0]) == "▁▁")
  }

  // MARK: Room

  @Test(arguments: [
    Size(width: 120, height: 40), Size(width: 76, height: 9), Size(width: 60, height: 30),
    Size(width: 60, height: 15), Size(width: 29, height: 60), Size(width: 20, height: 5),
    Size(width: 8, height: 2),
  ])
  func listAndPanelShareTheScreenWithoutOverlap(size: Size) {
    let (inspector, application) = opened(size)
    let area = Rect(origin: .zero, size: size)
    #expect(inspector.arrange(in: area) == area)
    application.window.toggle(inspector)
    let list = inspector.arrange(in: area)
    #expect(!list.isEmpty && !inspector.frame.isEmpty)
    #expect(list.intersection(inspector.frame).isEmpty)
    for part in [list, inspector.frame] {
      #expect(part.minX >= 0 && part.minY >= 0)
      #expect(part.maxX <= area.maxX && part.maxY <= area.maxY)
    }
  }

  // MARK: Numbers

  @Test(arguments: [
    (6.5, "6.5"), (0.0, "0"), (-0.29, "-0.29"), (7.004, "7"), (12.06, "12.06"), (-0.001, "0"),
  ])
  func numbersHaveNoMoreDecimalsThanNeeded(value: Double, text: String) {
    #expect(InspectorNumber.text(value) == text)
  }

  @Test(arguments: [
    (13.5, "13½ columns"), (1.0, "1 column"), (0.25, "¼ column"), (8.0, "8 columns"),
    (10.75, "10¾ columns"), (0.0, "0 columns"), (-2.5, "-2½ columns"), (11.63, "11.6 columns"),
  ])
  func lengthsAreWrittenAsPeopleDo(value: Double, text: String) {
    #expect(InspectorNumber.words(value, "column") == text)
  }

  // MARK: Keys

  private func opened(
    _ size: Size = Size(width: 120, height: 40)
  ) -> (LayoutInspector, TerminalApplication) {
    let pane = ListPane()
    let application = TerminalApplication(
      pane, display: CanvasDisplay(size: size), scheduler: MainQueueScheduler(isManual: true))
    let loader = ImageLoader(transport: NoTransport(), decoder: NoDecoder())
    let inspector = LayoutInspector(of: pane, pictures: PictureStore(loader: loader, depth: .none))
    inspector.add(to: application)
    return (inspector, application)
  }

  private func names(_ keys: [Key], _ modifiers: KeyModifiers = [], open: Bool) -> [String] {
    let (inspector, application) = opened()
    if open { application.window.toggle(inspector) }
    var reader = KeyReader()
    return keys.compactMap { key in
      let call = reader.read(KeyStroke(key, modifiers), in: application.window.commandTables)
      return call.map { call in call.count.map { "\(call.name) \($0)" } ?? call.name }
    }
  }

  @Test func keysAreTheInspectorsOnlyWhileItIsOpen() {
    let keys: [Key] = ["v", "V", "e", "c", "C", "x", "<", ">", "p", "i", "J", "K", "]", "["].map {
      .character($0)
    }
    let own = [
      "next-view-of-cell", "previous-view-of-cell", "next-edge", "next-constraint",
      "previous-constraint", "toggle-constraint", "narrower", "wider", "pause-arrivals",
      "admit-arrival", "panel-down", "panel-up", "panel-page-down", "panel-page-up", "next-section",
    ]
    #expect(names(keys + [.tab], open: true) == own)
    #expect(names([.tab], .shift, open: true) == ["previous-section"])
    #expect(names([.left, .right], open: true) == ["column-narrower", "column-wider"])
    #expect(Set(names(keys + [.tab], open: false)).isDisjoint(with: own))
    #expect(names([.function(12)], open: false) == ["inspect"])
    #expect(names([.function(12), .character("j")], open: true) == ["inspect", "next"])
  }

  @Test func countsApplyToTheWidth() {
    #expect(names([.character("7"), .character(">")], open: true) == ["wider 7"])
  }

  /// A closed inspector observes neither frames nor moves.
  @Test func aClosedInspectorIsIdle() {
    let (inspector, application) = opened()
    let pane = application.window.content as? ListPane
    #expect(pane?.onMove == nil && application.frames.observers.isEmpty)
    application.window.toggle(inspector)
    #expect(pane?.onMove != nil && application.frames.observers.count == 1)
    application.window.toggle(inspector)
    #expect(pane?.onMove == nil && application.frames.observers.isEmpty)
    #expect(application.window.sidePanel == nil)
  }
}

private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    throw .cancelled
  }
}

private struct NoDecoder: ImageDecoder {
  func header(of prefix: [UInt8]) -> ImageHeaderResult { .unknownFormat }

  func decode(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> PixelBuffer {
    throw .empty
  }
}

import Geometry
import Testing

@Suite struct GeometryTests {
  @Test func edgesAreExclusive() {
    let rect = Rect(x: 2, y: 3, width: 4, height: 1)
    #expect(rect.maxX == 6 && rect.maxY == 4)
    #expect(rect.contains(Point(x: 2, y: 3)) && rect.contains(Point(x: 5, y: 3)))
    #expect(!rect.contains(Point(x: 6, y: 3)) && !rect.contains(Point(x: 2, y: 4)))
  }

  @Test func intersections() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 10)
    let other = Rect(x: 6, y: -2, width: 10, height: 5)
    #expect(rect.intersection(other) == Rect(x: 6, y: 0, width: 4, height: 3))
    #expect(rect.intersection(other) == other.intersection(rect))
    #expect(rect.intersection(Rect(x: 10, y: 0, width: 5, height: 5)) == .zero)
  }

  @Test func insetsNeverGoNegative() {
    let rect = Rect(x: 1, y: 1, width: 5, height: 2)
    let inset = rect.inset(by: Insets(top: 1, left: 2, bottom: 0, right: 1))
    #expect(inset == Rect(x: 3, y: 2, width: 2, height: 1))
    #expect(rect.inset(by: Insets(top: 5, left: 5, bottom: 5, right: 5)).size == .zero)
  }

  @Test func moving() {
    let rect = Rect(x: 1, y: 1, width: 5, height: 2).offset(dx: -2, dy: 3)
    #expect(rect == Rect(x: -1, y: 4, width: 5, height: 2))
    #expect(Point(x: 1, y: 2).offset(dx: 1, dy: 1) == Point(x: 2, y: 3))
  }

  @Test func emptiness() {
    #expect(Size.zero.isEmpty && Size(width: 3, height: 0).isEmpty)
    #expect(Size(width: -1, height: 2).isEmpty && !Size(width: 1, height: 1).isEmpty)
  }
}

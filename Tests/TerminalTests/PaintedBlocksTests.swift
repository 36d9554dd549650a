import Geometry
import TestSupport
import Testing

@testable import Terminal

@Suite struct PaintedBlocksTests {
  private typealias Block = PaintedBlocks.Block

  /// A cell of the screen and the part of a picture that is painted there.
  private struct Painted: Hashable {
    var x: Int
    var y: Int
    var part: PictureCell
  }

  private func cells(of blocks: [Block]) -> [Painted] {
    blocks.flatMap { block in
      zip(block.rows, block.y...).flatMap { row, y in
        zip(block.columns, block.x...).map { column, x in
          Painted(x: x, y: y, part: PictureCell(id: block.id, row: row, column: column))
        }
      }
    }
  }

  /// The cells to paint, cell by cell: those of every row but the last whose run, the cells beside
  /// one another that continue a row of a picture, contains a column between the first and the last
  /// that differ.
  private func expected(_ frame: Canvas, since old: Canvas?) -> Set<Painted> {
    var result: Set<Painted> = []
    for y in 0..<frame.size.height - 1 {
      let columns = 0..<frame.size.width
      let differing = columns.filter { old == nil || frame[$0, y] != old?[$0, y] }
      guard let first = differing.first, let last = differing.last else { continue }
      for x in columns {
        guard let part = frame[x, y].picture else { continue }
        func continues(_ other: Int) -> Bool {
          frame[other, y].picture
            == PictureCell(id: part.id, row: part.row, column: part.column + other - x)
        }
        let left = columns.prefix(x).reversed().prefix(while: continues).last ?? x
        let right = columns.dropFirst(x).prefix(while: continues).last ?? x
        if left <= last, right >= first { result.insert(Painted(x: x, y: y, part: part)) }
      }
    }
    return result
  }

  /// Text, and pictures that cover one another, partly beyond the edges.
  private func canvas(_ size: Size, _ random: inout SeededGenerator) -> Canvas {
    var canvas = Canvas(size: size)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let id = UInt32.random(in: 1...3, using: &random)
      let (x, y) = (
        Int.random(in: -3..<size.width, using: &random),
        Int.random(in: -3..<size.height, using: &random)
      )
      let isText = Int.random(in: 0...3, using: &random) == 0
      for row in 0..<Int.random(in: 1...6, using: &random) {
        for column in 0..<Int.random(in: 1...9, using: &random)
        where canvas.bounds.contains(Point(x: x + column, y: y + row)) {
          canvas[x + column, y + row] =
            isText ? CanvasCell("a") : CanvasCell(PictureCell(id: id, row: row, column: column))
        }
      }
    }
    return canvas
  }

  @Test(arguments: Rounds.seeds(300)) func whatChangesIsPaintedOnce(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = Size(
      width: Int.random(in: 1...16, using: &random), height: Int.random(in: 1...9, using: &random))
    var blocks = PaintedBlocks()
    var old: Canvas?
    for step in 0..<6 {
      var frame = old ?? canvas(size, &random)
      if Bool.random(using: &random) {
        frame = canvas(size, &random)
      } else if Bool.random(using: &random) {
        frame[Int.random(in: 0..<size.width, using: &random), 0] = CanvasCell("x")
      }
      let shown = blocks.show(frame, since: old)
      let painted = cells(of: shown)
      #expect(Set(painted) == expected(frame, since: old), "seed \(seed), step \(step)")
      #expect(Set(painted).count == painted.count, "seed \(seed), step \(step)")
      #expect(blocks.areShown == frame.cells.contains { $0.isPicture }, "seed \(seed)")
      for block in shown {
        #expect(!shown.contains { block.isContinued(by: $0) }, "seed \(seed), step \(step)")
      }
      old = Int.random(in: 0...5, using: &random) == 0 ? nil : frame
    }
  }

  @Test func anotherSizeIsPaintedWhole() {
    var blocks = PaintedBlocks()
    var old = Canvas(size: Size(width: 4, height: 3))
    old[1, 0] = CanvasCell(PictureCell(id: 7, row: 0, column: 0))
    var wider = Canvas(size: Size(width: 5, height: 3))
    wider.copy(old, from: old.bounds, to: .zero)
    #expect(blocks.show(old, since: old) == [])
    #expect(blocks.show(wider, since: old).count == 1)
  }

  @Test(arguments: Rounds.seeds(200)) func piecesCoverTheBlock(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (row, column) = (
      Int.random(in: 0...5, using: &random), Int.random(in: 0...5, using: &random)
    )
    let block = Block(
      x: 3, y: 2, id: 9, rows: row..<row + Int.random(in: 1...20, using: &random),
      columns: column..<column + Int.random(in: 1...30, using: &random))
    let limit = Size(
      width: Int.random(in: 1...35, using: &random), height: Int.random(in: 1...25, using: &random))
    let pieces = block.pieces(atMost: limit)
    #expect(pieces.allSatisfy { $0.columns.count <= limit.width && $0.rows.count <= limit.height })
    let covered = cells(of: pieces)
    #expect(Set(covered) == Set(cells(of: [block])), "seed \(seed)")
    #expect(covered.count == Set(covered).count, "seed \(seed)")
    #expect(block.pieces(atMost: nil) == [block])
  }
}

import ConstraintLayout

/// Everything that is timed. Each operation also reads its results, which go into `checksum`.
@MainActor final class Operations {
  private(set) var checksum = 0.0

  func all(scale: Double) throws -> [Operation] {
    func count(_ operations: Int) -> Int { max(10, Int(Double(operations) * scale)) }
    return try cellOperations(count) + stackOperations(count) + layoutOperations(count)
      + reuseOperations(count) + growingOperations(count)
  }

  /// The cell in the bare solver, as the rival's program has it.
  private func cellOperations(_ count: (Int) -> Int) throws -> [Operation] {
    let shared = try SharedCell()
    func build(_ name: String, rival: String, bar: Double?, usesInequalities: Bool) -> Operation {
      Operation(name, count(8_000), rival: rival, bar: bar) { [self] in
        for step in 0..<$0 {
          let cell = try Cell(
            name: Double(1 + step % 3), comment: Double(2 + step % 5), aspect: 0.5,
            usesInequalities: usesInequalities)
          checksum += cell.sum()
        }
      }
    }
    return [
      build("a  build", rival: "a", bar: 2.6, usesInequalities: false),
      build("a2 build, hug and resist", rival: "a2", bar: nil, usesInequalities: true),
      Operation("a3 copy of a built cell", count(40_000)) { [self] in
        for _ in 0..<$0 { checksum += Double(shared.cell.solver.copy().constraintCount) }
      },
      Operation("b1 label height", count(400_000), rival: "b1", bar: 3.2) { [self] in
        checksum += try shared.cell.editHeights($0)
      },
      Operation("b2 picture aspect", count(100_000), rival: "b2", bar: 7) { [self] in
        checksum += try shared.cell.changeAspects($0)
      },
      Operation("c  bottom switch", count(100_000), rival: "c", bar: 6) { [self] in
        checksum += try shared.cell.switchBottoms($0)
      },
      Operation("d  reuse (2 b1 + b2 + c)", count(50_000), rival: "d") { [self] in
        checksum += try shared.cell.reuse($0)
      },
    ]
  }

  private final class SharedCell {
    var cell: Cell
    init() throws { cell = try Cell(name: 1, comment: 2, aspect: 0.5, usesInequalities: false) }
  }

  private func stackOperations(_ count: (Int) -> Int) -> [Operation] {
    [(1, 4_000), (4, 400), (16, 20)].map { cells, operations in
      Operation("e  build of \(cells) stacked", count(operations)) { [self] in
        for _ in 0..<$0 { checksum += try Stack(cells: cells).bottom }
      }
    }
  }

  /// A chain and a grid of 24, 240 and 1,000 variables, built and edited.
  private func growingOperations(_ count: (Int) -> Int) -> [Operation] {
    var operations: [Operation] = []
    for shape in GrowingSystem.Shape.allCases {
      for (size, builds, edits) in [(24, 4_000, 40_000), (240, 40, 4_000), (1_000, 2, 400)] {
        let short = "\(shape.rawValue.prefix(1))\(size)"
        let name = "of \(size) in a \(shape.rawValue)"
        operations.append(
          Operation("h  build \(name)", count(builds), rival: "h-\(short)") { [self] in
            for _ in 0..<$0 {
              checksum += try GrowingSystem(shape, variables: size).sum()
            }
          })
        let edited = EditedSystem(shape, size)
        operations.append(
          Operation("i  edit \(name)", count(edits), rival: "i-\(short)") { [self] in
            checksum += try edited.edit($0)
          })
      }
    }
    return operations
  }

  /// One that is made when it is first edited.
  private final class EditedSystem {
    private let shape: GrowingSystem.Shape
    private let size: Int
    private var system: GrowingSystem?

    init(_ shape: GrowingSystem.Shape, _ size: Int) {
      self.shape = shape
      self.size = size
    }

    func edit(_ count: Int) throws -> Double {
      if system == nil { system = try GrowingSystem(shape, variables: size) }
      return try system?.edit(count) ?? 0
    }
  }

  /// The same cell as items and anchors.
  private func layoutOperations(_ count: (Int) -> Int) -> [Operation] {
    let kind = LayoutClass(name: "cell")
    let edited = PictureCell()
    func made(_ kind: LayoutClass?) -> Double {
      let cell = PictureCell()
      cell.layoutClass = kind
      cell.show(title: 1, comment: 3, picture: 10)
      return cell.solvedFrame.height
    }
    return [
      Operation("f0 layout cell, objects", count(2_000)) { [self] in
        for _ in 0..<$0 { checksum += Double(PictureCell().subitems.count) }
      },
      Operation("f1 layout cell, built", count(2_000)) { [self] in
        for _ in 0..<$0 { checksum += made(nil) }
      },
      Operation("f2 layout cell, copied", count(2_000)) { [self] in
        for _ in 0..<$0 { checksum += made(kind) }
      },
      Operation("f3 layout reuse, solved", count(20_000)) { [self] in
        for step in 0..<$0 {
          edited.show(title: 1 + step % 2, comment: 1 + step % 5, picture: 10)
          checksum += edited.solvedFrame.height
        }
      },
    ]
  }

  /// Another post in one of so many cells of one tree.
  private func reuseOperations(_ count: (Int) -> Int) -> [Operation] {
    [(4, 4_000), (16, 200)].map { cells, runs in
      let stack = ShownStack(cells: cells)
      return Operation("g  reuse of \(cells), solved", count(runs)) { [self] in
        for step in 0..<$0 { checksum += stack.height(showing: step) }
      }
    }
  }

  /// A stack that is made when it is first shown, and has shown every post once by then.
  @MainActor private final class ShownStack {
    private let cells: Int
    private lazy var stack: PictureStack = {
      let stack = PictureStack(cells: cells)
      for step in 0..<10 { stack.show(step) }
      return stack
    }()

    init(cells: Int) { self.cells = cells }

    func height(showing step: Int) -> Double {
      stack.show(step)
      return stack.solvedFrame.height
    }
  }
}

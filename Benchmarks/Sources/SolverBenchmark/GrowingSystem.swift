import ConstraintSolver

/// Systems of any size, for how the cost grows: a chain, in which everything hangs on the first,
/// and a grid of boxes. What is edited moves about half of all.
struct GrowingSystem: ~Copyable {
  enum Shape: String, CaseIterable {
    case chain, grid
  }

  private var solver: Solver
  private var variables: [Variable] = []
  private var edited: ConstraintHandle?

  init(_ shape: Shape, variables count: Int) throws {
    solver = Solver(expectedVariables: count, expectedConstraints: 2 * count)
    for _ in 0..<count { variables.append(try solver.addVariable()) }
    switch shape {
    case .chain: try addChain()
    case .grid: try addGrid()
    }
    try solver.solve()
  }

  /// x[0] = 0; x[i] ≥ x[i-1] + 1; x[i] = x[i-1] + 2 + i mod 3, optional. The one in the middle is
  /// edited.
  private mutating func addChain() throws {
    try add([(0, 1)], .equal, 0)
    for index in 1..<variables.count {
      try add([(index, 1), (index - 1, -1)], .greaterThanOrEqual, -1)
      let handle = try add(
        [(index, 1), (index - 1, -1)], .equal, -Double(2 + index % 3), priority: 500)
      if index == variables.count / 2 { edited = handle }
    }
  }

  /// Boxes of left, top, width and height, four a row, each row as wide as 100: neighbours meet
  /// with a gap of 1, boxes of a row are of one width and stand below the highest of the row above,
  /// and heights are optional. The height of the one in the middle is edited.
  private mutating func addGrid() throws {
    let boxes = variables.count / 4
    for box in 0..<boxes {
      let own = box * 4
      let before = own - 4
      if box % 4 == 0 {
        try add([(own, 1)], .equal, 0)
      } else {
        try add([(own, 1), (before, -1), (before + 2, -1)], .equal, -1)
        try add([(own + 2, 1), (before + 2, -1)], .equal, 0)
        try add([(own + 1, 1), (before + 1, -1)], .equal, 0)
      }
      if box % 4 == 3 || box == boxes - 1 { try add([(own, 1), (own + 2, 1)], .equal, -100) }
      if box % 4 == 0 {
        if box == 0 {
          try add([(own + 1, 1)], .equal, 0)
        } else {
          for above in 1...4 {
            let other = own - above * 4
            try add([(own + 1, 1), (other + 1, -1), (other + 3, -1)], .greaterThanOrEqual, -1)
          }
          // As near as can be.
          try add([(own + 1, 1)], .equal, 0, priority: 250)
        }
      }
      let handle = try add([(own + 3, 1)], .equal, -Double(1 + box % 5), priority: 750)
      if box == boxes / 2 { edited = handle }
    }
  }

  @discardableResult
  private mutating func add(
    _ row: [(variable: Int, coefficient: Double)], _ relation: Relation, _ constant: Double,
    priority: Float = Solver.required
  ) throws -> ConstraintHandle {
    var terms = InlineArray<4, Term>(repeating: Term(variables[0], 0))
    for (index, term) in row.enumerated() {
      terms[index] = Term(variables[term.variable], term.coefficient)
    }
    return try solver.add(
      terms.span.extracting(first: row.count), relation, constant: constant, priority: priority)
  }

  /// Edits so many times; all values after each are read and added up.
  mutating func edit(_ count: Int) throws -> Double {
    var total = 0.0
    for step in 0..<count {
      if let edited { try solver.setConstant(-Double(3 + step % 7), of: edited) }
      try solver.solve()
      total += sum()
    }
    return total
  }

  func sum() -> Double {
    var sum = 0.0
    for variable in variables { sum += solver.value(of: variable) }
    return sum
  }

  /// What `sum` has to be before anything is edited.
  static func expectedSum(_ shape: Shape, variables count: Int) -> Double {
    var sum = 0.0
    switch shape {
    case .chain:
      var value = 0.0
      for index in 1..<count {
        value += Double(2 + index % 3)
        sum += value
      }
    case .grid:
      var top = 0.0
      for first in stride(from: 0, to: count / 4, by: 4) {
        let boxes = first..<min(first + 4, count / 4)
        let width = (100 - Double(boxes.count - 1)) / Double(boxes.count)
        var highest = 0.0
        for box in boxes {
          let height = Double(1 + box % 5)
          sum += Double(box - first) * (width + 1) + top + width + height
          highest = max(highest, height)
        }
        top += highest + 1
      }
    }
    return sum
  }
}

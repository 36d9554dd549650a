import ConstraintSolver

/// The cell that is measured: six boxes (cell, icon, name, comment, picture, time), each left, top,
/// width, height: 24 variables and 30 active constraints, with hugging and resistance 32.
struct Cell: ~Copyable {
  /// Row of a cell: Σ coefficient · variable number + constant, relation 0.
  struct Row {
    let terms: [(variable: Int, coefficient: Double)]
    let relation: Relation
    let constant: Double
    let priority: Float
  }

  static let width = 80.0
  static let pictureWidth = 40.0
  static let name = 8
  static let comment = 12
  static let picture = 16
  static let time = 20

  var solver = Solver(expectedVariables: 24, expectedConstraints: 36)
  var variables: [Variable] = []
  private var nameHeight: ConstraintHandle?
  private var commentHeight: ConstraintHandle?
  private var aspect: ConstraintHandle?
  private var bottom: ConstraintHandle?

  /// `usesInequalities`: heights as hugging and resistance instead of equations.
  init(name: Double, comment: Double, aspect ratio: Double, usesInequalities: Bool) throws {
    variables.reserveCapacity(24)
    for _ in 0..<24 { variables.append(try solver.addVariable()) }
    for row in Self.fixed {
      var terms = InlineArray<4, Term>(repeating: Term(variables[0], 0))
      for (index, term) in row.terms.enumerated() {
        terms[index] = Term(variables[term.variable], term.coefficient)
      }
      try solver.add(
        terms.span.extracting(first: row.terms.count), row.relation, constant: row.constant,
        priority: row.priority)
    }
    let nameTerm: InlineArray<1, Term> = [Term(variables[Self.name + 3])]
    let commentTerm: InlineArray<1, Term> = [Term(variables[Self.comment + 3])]
    if usesInequalities {
      for (terms, height) in [(nameTerm, name), (commentTerm, comment)] {
        try solver.add(terms.span, .greaterThanOrEqual, constant: -height, priority: 750)
        try solver.add(terms.span, .lessThanOrEqual, constant: -height, priority: 250)
      }
    } else {
      nameHeight = try solver.add(nameTerm.span, .equal, constant: -name, priority: 750)
      commentHeight = try solver.add(commentTerm.span, .equal, constant: -comment, priority: 750)
    }
    try setAspect(ratio)
    try setBottom(toTime: true)
    try solver.solve()
  }

  mutating func setNameHeight(_ height: Double) throws {
    if let nameHeight { try solver.setConstant(-height, of: nameHeight) }
  }

  mutating func setCommentHeight(_ height: Double) throws {
    if let commentHeight { try solver.setConstant(-height, of: commentHeight) }
  }

  mutating func setAspect(_ ratio: Double) throws {
    if let aspect { try solver.remove(aspect) }
    let terms: InlineArray<2, Term> = [
      Term(variables[Self.picture + 3]), Term(variables[Self.picture + 2], -ratio),
    ]
    aspect = try solver.add(terms.span, .equal)
  }

  mutating func setBottom(toTime: Bool) throws {
    if let bottom { try solver.remove(bottom) }
    let box = toTime ? Self.time : Self.comment
    let terms: InlineArray<4, Term> = [
      Term(variables[1]), Term(variables[3]), Term(variables[box + 1], -1),
      Term(variables[box + 3], -1),
    ]
    bottom = try solver.add(terms.span, .greaterThanOrEqual, constant: -1)
  }

  /// All 24 values added up: reading is part of every operation.
  func sum() -> Double {
    var sum = 0.0
    for variable in variables { sum += solver.value(of: variable) }
    return sum
  }

  /// The operations that are timed, so many times; each is solved and read, and all sums added up.
  mutating func editHeights(_ count: Int) throws -> Double {
    var total = 0.0
    for step in 0..<count {
      try setCommentHeight(Double(1 + step % 9))
      try solver.solve()
      total += sum()
    }
    return total
  }

  mutating func changeAspects(_ count: Int) throws -> Double {
    var total = 0.0
    for step in 0..<count {
      try setAspect(0.25 + Double(step % 5) * 0.25)
      try solver.solve()
      total += sum()
    }
    return total
  }

  mutating func switchBottoms(_ count: Int) throws -> Double {
    var total = 0.0
    for step in 0..<count {
      try setBottom(toTime: step % 2 == 1)
      try solver.solve()
      total += sum()
    }
    return total
  }

  mutating func reuse(_ count: Int) throws -> Double {
    var total = 0.0
    for step in 0..<count {
      try setNameHeight(Double(1 + step % 2))
      try setCommentHeight(Double(1 + step % 9))
      try setAspect(0.25 + Double(step % 5) * 0.25)
      try setBottom(toTime: step % 2 == 1)
      try solver.solve()
      total += sum()
    }
    return total
  }

  /// What `sum` has to be.
  static func expectedSum(
    name: Double, comment: Double, aspect: Double, toTime: Bool
  ) -> Double {
    let iconWidth = 0.25 * width
    let iconHeight = 0.5 * iconWidth
    let x = 2 + iconWidth
    let rest = width - 1 - x
    let pictureTop = 2 + name + comment
    let timeTop = pictureTop + aspect * pictureWidth
    let bottom = toTime ? timeTop + 2 : 2 + name + comment
    let cell = width + max(2 + iconHeight, bottom)
    let icon = 2 + iconWidth + iconHeight
    let labels = 2 * x + 1 + (1 + name) + 2 * rest + name + comment
    let pictureSum = x + pictureTop + pictureWidth + aspect * pictureWidth
    return cell + icon + labels + pictureSum + x + timeTop + rest + 1
  }

  /// Constraints that are active for the whole life of a cell.
  static let fixed: [Row] = {
    var rows: [Row] = []
    func row(
      _ terms: [(variable: Int, coefficient: Double)], _ relation: Relation, _ constant: Double,
      _ priority: Float = 1000
    ) {
      rows.append(
        Row(terms: terms, relation: relation, constant: constant, priority: priority))
    }
    row([(0, 1)], .equal, 0)
    row([(1, 1)], .equal, 0)
    row([(2, 1)], .equal, -width)
    row([(4, 1), (0, -1)], .equal, -1)
    row([(5, 1), (1, -1)], .equal, -1)
    row([(6, 1), (2, -0.25)], .equal, 0)
    row([(7, 1), (6, -0.5)], .equal, 0, 750)
    row([(name, 1), (4, -1), (6, -1)], .equal, -1)
    row([(name, 1), (name + 2, 1), (0, -1), (2, -1)], .equal, 1)
    row([(name + 1, 1), (5, -1)], .equal, 0)
    row([(comment, 1), (4, -1), (6, -1)], .equal, -1)
    row([(comment, 1), (comment + 2, 1), (0, -1), (2, -1)], .equal, 1)
    row([(comment + 1, 1), (name + 1, -1), (name + 3, -1)], .equal, 0)
    row([(picture, 1), (name, -1)], .equal, 0)
    row([(picture + 1, 1), (comment + 1, -1), (comment + 3, -1)], .equal, -1)
    row([(picture + 2, 1)], .equal, -pictureWidth)
    row([(picture, 1), (picture + 2, 1), (0, -1), (2, -1)], .lessThanOrEqual, 1)
    row([(time, 1), (name, -1)], .equal, 0)
    row([(time, 1), (time + 2, 1), (0, -1), (2, -1)], .equal, 1)
    row([(time + 3, 1)], .equal, -1)
    row([(time + 1, 1), (picture + 1, -1), (picture + 3, -1)], .equal, 0)
    row([(name + 2, 1)], .greaterThanOrEqual, 0)
    row([(comment + 2, 1)], .greaterThanOrEqual, 0)
    row([(3, 1)], .greaterThanOrEqual, 0)
    row([(1, 1), (3, 1), (5, -1), (7, -1)], .greaterThanOrEqual, -1)
    row([(3, 1)], .equal, 0, 250)
    return rows
  }()
}

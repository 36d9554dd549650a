import ConstraintSolver

/// One timeline cell of six boxes (cell, icon, name, comment, picture, time), each left, top,
/// width, height: 24 variables, 30 active constraints. What the benchmark measures, with its closed
/// form.
struct CellWorkload: ~Copyable {
  enum Box: Int { case cell, icon, name, comment, picture, time }
  enum Side: Int { case left, top, width, height }

  static let width = 80.0
  static let pictureWidth = 40.0

  var solver = Solver(expectedVariables: 24, expectedConstraints: 40)
  var variables: [Variable] = []
  var nameHeights: [ConstraintHandle] = []
  var commentHeights: [ConstraintHandle] = []
  var aspect: ConstraintHandle?
  var bottom: ConstraintHandle?

  /// `usesInequalities`: heights as hugging and resistance instead of equations.
  init(
    nameHeight: Double, commentHeight: Double, aspect ratio: Double, usesInequalities: Bool = false
  ) throws {
    for _ in 0..<24 { variables.append(try solver.addVariable()) }
    let v = variables
    func at(_ box: Box, _ side: Side) -> Variable { v[box.rawValue * 4 + side.rawValue] }
    func equal(_ terms: [Term], _ constant: Double, _ priority: Float = 1000) throws {
      try solver.add(terms, .equal, constant: constant, priority: priority)
    }
    try equal([Term(at(.cell, .left))], 0)
    try equal([Term(at(.cell, .top))], 0)
    try equal([Term(at(.cell, .width))], -Self.width)
    try equal([Term(at(.icon, .left)), Term(at(.cell, .left), -1)], -1)
    try equal([Term(at(.icon, .top)), Term(at(.cell, .top), -1)], -1)
    try equal([Term(at(.icon, .width)), Term(at(.cell, .width), -0.25)], 0)
    try equal([Term(at(.icon, .height)), Term(at(.icon, .width), -0.5)], 0, 750)
    let right = [Term(at(.cell, .left), -1), Term(at(.cell, .width), -1)]
    for box in [Box.name, .comment] {
      let left = [Term(at(.icon, .left), -1), Term(at(.icon, .width), -1)]
      try equal([Term(at(box, .left))] + left, -1)
      try equal([Term(at(box, .left)), Term(at(box, .width))] + right, 1)
    }
    try equal([Term(at(.name, .top)), Term(at(.icon, .top), -1)], 0)
    try equal(
      [Term(at(.comment, .top)), Term(at(.name, .top), -1), Term(at(.name, .height), -1)], 0)
    try equal([Term(at(.picture, .left)), Term(at(.name, .left), -1)], 0)
    try equal(
      [
        Term(at(.picture, .top)), Term(at(.comment, .top), -1), Term(at(.comment, .height), -1),
      ], -1)
    try equal([Term(at(.picture, .width))], -Self.pictureWidth)
    try solver.add(
      [Term(at(.picture, .left)), Term(at(.picture, .width))] + right, .lessThanOrEqual,
      constant: 1)
    try equal([Term(at(.time, .left)), Term(at(.name, .left), -1)], 0)
    try equal([Term(at(.time, .left)), Term(at(.time, .width))] + right, 1)
    try equal([Term(at(.time, .height))], -1)
    try equal(
      [Term(at(.time, .top)), Term(at(.picture, .top), -1), Term(at(.picture, .height), -1)], 0)
    for variable in [at(.name, .width), at(.comment, .width), at(.cell, .height)] {
      try solver.add([Term(variable)], .greaterThanOrEqual)
    }
    try solver.add(Self.bottomTerms(v, .icon), .greaterThanOrEqual, constant: -1)
    try equal([Term(at(.cell, .height))], 0, 250)

    func heights(_ box: Box, _ height: Double) throws -> [ConstraintHandle] {
      let terms = [Term(at(box, .height))]
      guard usesInequalities else {
        return [try solver.add(terms, .equal, constant: -height, priority: 750)]
      }
      return [
        try solver.add(terms, .greaterThanOrEqual, constant: -height, priority: 750),
        try solver.add(terms, .lessThanOrEqual, constant: -height, priority: 250),
      ]
    }
    nameHeights = try heights(.name, nameHeight)
    commentHeights = try heights(.comment, commentHeight)
    aspect = try solver.add(
      [Term(at(.picture, .height)), Term(at(.picture, .width), -ratio)], .equal)
    bottom = try solver.add(Self.bottomTerms(v, .time), .greaterThanOrEqual, constant: -1)
    try solver.solve()
  }

  private static func bottomTerms(_ v: [Variable], _ box: Box) -> [Term] {
    let first = box.rawValue * 4
    return [
      Term(v[1]), Term(v[3]), Term(v[first + Side.top.rawValue], -1),
      Term(v[first + Side.height.rawValue], -1),
    ]
  }

  mutating func setHeights(name: Double, comment: Double) throws {
    for handle in nameHeights { try solver.setConstant(-name, of: handle) }
    for handle in commentHeights { try solver.setConstant(-comment, of: handle) }
  }

  mutating func setAspect(_ ratio: Double) throws {
    if let aspect { try solver.remove(aspect) }
    aspect = try solver.add([Term(variables[19]), Term(variables[18], -ratio)], .equal)
  }

  mutating func setBottom(toTime: Bool) throws {
    if let bottom { try solver.remove(bottom) }
    bottom = try solver.add(
      Self.bottomTerms(variables, toTime ? .time : .comment), .greaterThanOrEqual, constant: -1)
  }

  func values() -> [Double] { variables.map { solver.value(of: $0) } }

  /// All 24 values by arithmetic.
  static func expected(
    name: Double, comment: Double, aspect: Double, toTime: Bool
  ) -> [Double] {
    let iconWidth = 0.25 * width
    let iconHeight = 0.5 * iconWidth
    let x = 2 + iconWidth
    let pictureTop = 2 + name + comment
    let timeTop = pictureTop + aspect * pictureWidth
    let bottom = toTime ? timeTop + 2 : 2 + name + comment
    return [
      0, 0, width, max(2 + iconHeight, bottom),
      1, 1, iconWidth, iconHeight,
      x, 1, width - 1 - x, name,
      x, 1 + name, width - 1 - x, comment,
      x, pictureTop, pictureWidth, aspect * pictureWidth,
      x, timeTop, width - 1 - x, 1,
    ]
  }
}

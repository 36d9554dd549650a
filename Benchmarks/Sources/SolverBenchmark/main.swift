import ConstraintSolver

/// Times the solver on one timeline cell: build, label edit, aspect change, bottom switch, reuse.
/// `SolverBenchmark [SCALE [OPERATION]]`: SCALE multiplies the number of operations, 1 by default;
/// OPERATION is the one to run ("b1"), all by default.

func report(_ name: String, _ operations: Int, _ body: (Int) throws -> Void) throws {
  if let only = CommandLine.arguments.dropFirst(2).first, !name.hasPrefix(only) { return }
  let clock = ContinuousClock()
  try body(operations / 4 + 1)
  var runs: [Double] = []
  for _ in 0..<5 {
    let time = try clock.measure { try body(operations) }
    let nanoseconds =
      Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
    runs.append(nanoseconds / Double(operations))
  }
  runs.sort()
  func text(_ value: Double) -> String {
    let digits = "\(Int(value + 0.5))"
    return String(repeating: " ", count: max(0, 8 - digits.count)) + digits
  }
  let padded = name + String(repeating: " ", count: max(0, 28 - name.count))
  print("\(padded) median\(text(runs[2])) ns/op  min\(text(runs[0]))  max\(text(runs[4]))")
}

struct WrongResult: Error { let found, expected: Double }

func verify() throws {
  var cell = try Cell(name: 1, comment: 3, aspect: 0.5, usesInequalities: false)
  for step in 0..<50 {
    let name = Double(1 + step % 3)
    let comment = Double(1 + (step * 7) % 11)
    let aspect = 0.25 + Double(step % 5) * 0.25
    try cell.setNameHeight(name)
    try cell.setCommentHeight(comment)
    try cell.setAspect(aspect)
    try cell.setBottom(toTime: step % 2 == 1)
    try cell.solver.solve()
    let expected = Cell.expectedSum(
      name: name, comment: comment, aspect: aspect, toTime: step % 2 == 1)
    guard abs(cell.sum() - expected) < 1e-6 else {
      throw WrongResult(found: cell.sum(), expected: expected)
    }
  }
}

func run(scale: Double) throws {
  try verify()
  // Every operation's result goes in here and is printed, so that none is optimised away.
  var checksum = 0.0
  func count(_ operations: Int) -> Int { max(10, Int(Double(operations) * scale)) }
  for usesInequalities in [false, true] {
    try report(usesInequalities ? "a2 build, hug and resist" : "a  build", count(8_000)) {
      for step in 0..<$0 {
        let cell = try Cell(
          name: Double(1 + step % 3), comment: Double(2 + step % 5), aspect: 0.5,
          usesInequalities: usesInequalities)
        checksum += cell.sum()
      }
    }
  }
  var cell = try Cell(name: 1, comment: 2, aspect: 0.5, usesInequalities: false)
  try report("a3 copy of a built cell", count(40_000)) {
    for _ in 0..<$0 {
      let copy = cell.solver.copy()
      checksum += Double(copy.constraintCount)
    }
  }
  try report("b1 label height", count(400_000)) {
    for step in 0..<$0 {
      try cell.setCommentHeight(Double(1 + step % 9))
      try cell.solver.solve()
      checksum += cell.sum()
    }
  }
  try report("b2 picture aspect", count(100_000)) {
    for step in 0..<$0 {
      try cell.setAspect(0.25 + Double(step % 5) * 0.25)
      try cell.solver.solve()
      checksum += cell.sum()
    }
  }
  var toTime = true
  try report("c  bottom switch", count(100_000)) {
    for _ in 0..<$0 {
      toTime.toggle()
      try cell.setBottom(toTime: toTime)
      try cell.solver.solve()
      checksum += cell.sum()
    }
  }
  try report("d  reuse (2 b1 + b2 + c)", count(50_000)) {
    for step in 0..<$0 {
      try cell.setNameHeight(Double(1 + step % 2))
      try cell.setCommentHeight(Double(1 + step % 9))
      try cell.setAspect(0.25 + Double(step % 5) * 0.25)
      toTime.toggle()
      try cell.setBottom(toTime: toTime)
      try cell.solver.solve()
      checksum += cell.sum()
    }
  }
  print("checksum \(checksum)")
}

try run(scale: CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 1)

/// Times the solver on one timeline cell: build, label edit, aspect change, bottom switch, reuse;
/// on stacks of cells, chains and grids; and the layout engine above it. Prints nanoseconds and
/// allocations an operation, medians of five rounds. `--rival` names another solver's program that
/// times the same cell; it then runs in turns with this one, and the ratios are printed with the
/// bars they are held against.

import Glibc

/// What the command line asks for.
struct Arguments {
  struct Unknown: Error { let argument: String }

  /// Multiplies the number of operations.
  var scale = 1.0
  /// Start of the names of the operations to run.
  var only = ""
  /// Path of the other solver's program.
  var rival: String?

  init(_ arguments: some Sequence<String>) throws {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      switch (argument, iterator.next()) {
      case ("--scale", let value?):
        guard let scale = Double(value), scale > 0 else { throw Unknown(argument: value) }
        self.scale = scale
      case ("--only", let value?): only = value
      case ("--rival", let value?): rival = value
      default: throw Unknown(argument: argument)
      }
    }
  }
}

struct WrongResult: Error { let found, expected: Double }

/// Holds the cell and the growing systems against their closed forms first.
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
  for shape in GrowingSystem.Shape.allCases {
    let found = try GrowingSystem(shape, variables: 240).sum()
    let expected = GrowingSystem.expectedSum(shape, variables: 240)
    guard abs(found - expected) < 1e-6 * expected else {
      throw WrongResult(found: found, expected: expected)
    }
  }
}

/// Right-aligned in so many columns, with so many digits after the point.
func padded(_ value: Double?, _ width: Int, digits: Int = 0) -> String {
  guard let value else { return String(repeating: " ", count: width) }
  var factor = 1.0
  for _ in 0..<digits { factor *= 10 }
  let rounded = (value * factor).rounded() / factor
  let text = digits == 0 ? "\(Int(rounded))" : "\(rounded)"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

@MainActor func run(_ arguments: Arguments) throws {
  try verify()
  let workload = Operations()
  let operations = try workload.all(scale: arguments.scale)
    .filter { $0.name.hasPrefix(arguments.only) }
  var rival = arguments.rival.map(Rival.init)
  for operation in operations { try operation.warmUp() }
  for _ in 0..<5 {
    for operation in operations { try operation.measure() }
    try rival?.measure(scale: arguments.scale / 10)
  }
  print("operation                     ns/op  allocations   rival ns   times   bar")
  for operation in operations {
    let name = operation.name + String(repeating: " ", count: max(0, 26 - operation.name.count))
    let other = operation.rivalName.flatMap { rival?.median($0) }
    print(
      name + padded(operation.median, 9) + padded(operation.allocations, 13, digits: 2)
        + padded(other, 11) + padded(other.map { $0 / operation.median }, 8, digits: 2)
        + padded(operation.bar, 6, digits: 1))
  }
  print("checksum \(workload.checksum)")
}

do {
  try run(Arguments(CommandLine.arguments.dropFirst()))
} catch let unknown as Arguments.Unknown {
  print("not known: \(unknown.argument)")
  print("usage: SolverBenchmark [--scale FACTOR] [--only OPERATION] [--rival PROGRAM]")
  exit(64)
}

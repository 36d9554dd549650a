import ConstraintSolver

var solver = Solver()
let list = try solver.addVariable()
let preview = try solver.addVariable()
// Both fill 80 columns; the preview has at least 30.
try solver.add([Term(list), Term(preview)], .equal, constant: -80)
try solver.add([Term(preview)], .greaterThanOrEqual, constant: -30)
// The list would like 60, and gets the rest.
let wish = try solver.add([Term(list)], .equal, constant: -60, priority: 500)

_ = try solver.solve()
print("list \(solver.value(of: list)), preview \(solver.value(of: preview))")

try solver.setConstant(-20, of: wish)
_ = try solver.solve()
print("list \(solver.value(of: list)), preview \(solver.value(of: preview))")

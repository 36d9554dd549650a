// Programs for the tests of libraries.
//
//     LibraryTestProgram FILE SEED            until it is killed
//     LibraryTestProgram FILE measure ITEMS   how long operations take
import Library

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 3, let count = Int(arguments[2]) {
  try Measurement.run(path: arguments[0], count: count)
} else if arguments.count == 2, let seed = UInt64(arguments[1]) {
  try KilledRun.run(path: arguments[0], seed: seed)
}

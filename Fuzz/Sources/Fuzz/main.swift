import CFuzzer
import FuzzTargets
import Glibc

/// Runs one target: `Fuzz TARGET …` with libFuzzer's arguments; `Fuzz --seeds TARGET FOLDER` writes
/// the inputs to begin with; `Fuzz --edges TARGET FOLDER` runs the inputs of a folder and prints
/// the address of every edge, with 1 for those that they pass and 0 for others; `Fuzz --list` names
/// the targets with their modules, input sizes and the inputs of a brief run.
func complain(_ message: String) {
  let line = Array("fuzz: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

func fail(_ message: String) -> Never {
  complain(message)
  exit(64)
}

func target(_ name: String?) -> FuzzTarget {
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fail("no target \(name ?? ""); there are \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}

func run(_ target: FuzzTarget, _ bytes: [UInt8]) {
  do {
    try target.run(bytes)
  } catch {
    complain("\(target.name): \(error)")
    abort()
  }
}

/// The target that libFuzzer's callback, which can hold nothing, is to run.
nonisolated(unsafe) var chosen: FuzzTarget?

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--list":
  for target in FuzzTarget.all {
    print(
      target.name, target.modules.joined(separator: ","), target.longestInput, target.briefRuns)
  }
case "--seeds" where arguments.count == 3:
  for (index, seed) in target(arguments[1]).seeds.enumerated() {
    let path = "\(arguments[2])/seed-\(index)"
    guard let file = fopen(path, "w") else { fail("\(path) cannot be written") }
    fwrite(seed, 1, seed.count, file)
    fclose(file)
  }
case "--edges" where arguments.count == 3:
  let target = target(arguments[1])
  for input in FuzzInput.all(in: arguments[2]) { run(target, input.bytes) }
  for edge in 0..<fuzzer_edge_count() {
    let digits = String(fuzzer_edge_address(edge), radix: 16)
    let address = String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    print(address, fuzzer_edge_hits(edge) > 0 ? 1 : 0)
  }
default:
  chosen = target(arguments.first)
  // The target's name is none of libFuzzer's arguments.
  var argv = Array(UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: arguments.count + 1))
  argv.remove(at: 1)
  var count = Int32(argv.count)
  argv.append(nil)
  argv.withUnsafeMutableBufferPointer { buffer in
    var start = buffer.baseAddress
    _ = LLVMFuzzerRunDriver(&count, &start) { data, size in
      guard let chosen else { return 0 }
      run(chosen, Array(UnsafeBufferPointer(start: data, count: size)))
      return 0
    }
  }
}

/// Seek, update and insertion in the middle at 10^3…10^7 measured rows, the height tree against a
/// Fenwick tree and an array of prefix sums. Prints one line a structure and size; an argument
/// limits the largest size ("HeightTreeBenchmark 100000").

import Glibc
import VirtualList

let largest = CommandLine.arguments.dropFirst().first.map { Int($0) ?? 0 } ?? 10_000_000
guard largest >= 1_000, CommandLine.arguments.count <= 2 else {
  print("usage: HeightTreeBenchmark [LARGEST NUMBER OF ROWS, 1000 OR MORE]")
  exit(64)
}

print("rows        structure   seek ns   update ns   insert ns   bytes/row")
for count in [1_000, 10_000, 100_000, 1_000_000, 10_000_000] where count <= largest {
  let heights = Workload.heights(count)
  Workload.report(count, "height tree", TreeHeights(heights))
  Workload.report(count, "untouched", TreeHeights(untouched: count))
  Workload.reportFirst(count)
  Workload.report(count, "Fenwick", FenwickHeights(heights))
  Workload.report(count, "prefix sums", PrefixHeights(heights))
}

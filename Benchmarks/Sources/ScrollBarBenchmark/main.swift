/// How far the scroll bar's thumb is from where it would be if every height were known, when one
/// row in a hundred was measured by jumps here and there, and how often it goes back while the list
/// goes on. In four lists whose text is not known, known in cells, or known in bytes from every
/// 64th row to the next. Prints percents of the track. The bar: a median of 1 %, 5 % at most, no
/// reversal.
///
///     swift run --package-path Benchmarks -c release ScrollBarBenchmark [LARGEST] [SEED]

import Glibc

let numbers = CommandLine.arguments.dropFirst().map { Int($0) }
guard numbers.count <= 2, numbers.allSatisfy({ ($0 ?? 0) > 0 }) else {
  print("usage: ScrollBarBenchmark [LARGEST NUMBER OF ROWS] [SEED]")
  exit(64)
}
let largest = numbers.first.flatMap { $0 } ?? 1_000_000
let seed = UInt64(numbers.dropFirst().first.flatMap { $0 } ?? 1)

print("error in % of the track      jumps to a row         jumps to a screen")
print("list         rows     text     median  largest  back  median  largest  back")
for count in [10_000, 100_000, 1_000_000] where count <= largest {
  for corpus in Corpus.allCases {
    for text in Corpus.Text.allCases {
      let rows = KnownRows(corpus, count: count, text: text, seed: seed)
      let cells = try Jump.allCases.flatMap { jump in
        let error = try ThumbError(of: rows, jump: jump, seed: seed)
        return [
          padded(percent(error.median), 8), padded(percent(error.largest), 9),
          padded("\(error.reversals)", 6),
        ]
      }
      let names = [("\(corpus)", 13), ("\(count)", 9), ("\(text)", 7)].map { name, width in
        name + String(repeating: " ", count: width - name.count)
      }
      print(names.joined() + cells.joined())
    }
  }
}

/// Hundredths of a percent.
func percent(_ part: Double) -> String { "\((part * 10_000).rounded() / 100)" }

func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(1, width - text.count)) + text
}

// Wrapping of one post of about 1 kB to 80 columns: what a row costs when it is measured.
//
// Prints, for each text, the median of five rounds: nanoseconds a post and a byte, for measuring
// alone, for measuring and taking out what is drawn, and for sanitizing.

import TextLayout

/// `sentence` repeated until it holds at least `bytes` bytes.
func post(_ sentence: String, bytes: Int = 1_000) -> String {
  var text = sentence
  while text.utf8.count < bytes { text += " " + sentence }
  return text
}

let texts: [(name: String, text: String)] = [
  (
    "English",
    post(
      "The gauge at the harbour mouth read two metres at noon, a hand above the table's figure, "
        + "and the ferries waited for the stream to slacken. By evening it had turned.")
  ),
  ("Japanese", post("正午の港口の水位は二メートル。潮汐表より少し高く、フェリーは流れが緩むのを待っていた。夕方には「引き潮」に変わった。")),
  (
    "mixed",
    post(
      "High water 高潮 at 12:40 🌊, see https://tide.example/harbour/2026-10-03 👍🏽 — Zürich, "
        + "naïve café; שלום עולם, नमस्ते, 한국어 단어.")
  ),
]

/// The median of five rounds of `repetitions`, in nanoseconds a repetition.
func median(repetitions: Int = 400, _ work: () -> Int) -> Double {
  let clock = ContinuousClock()
  var sink = 0
  let rounds = (0..<5).map { _ in
    let time = clock.measure {
      for _ in 0..<repetitions { sink &+= work() }
    }
    return time / .nanoseconds(1) / Double(repetitions)
  }
  // Keeps the work from being optimised away.
  if sink == 0 { print("nothing was done") }
  return rounds.sorted()[2]
}

func column(_ value: Double, digits: Int) -> String {
  let scale = digits == 0 ? 1.0 : 10.0
  let rounded = (value * scale).rounded() / scale
  let text = digits == 0 ? String(Int(rounded)) : String(rounded)
  return String(repeating: " ", count: max(0, 10 - text.count)) + text
}

print("text      work           ns/post   ns/byte")
for (name, text) in texts {
  let styled = StyledText(text)
  let bytes = Double(text.utf8.count)
  let works: [(String, () -> Int)] = [
    ("measure", { TextFrame(styled, width: 80).size.height }),
    (
      "fragments",
      {
        let frame = TextFrame(styled, width: 80)
        return frame.lines.indices.reduce(0) { $0 + frame.fragments(ofLine: $1).count }
      }
    ),
    (
      "glyphs",
      {
        let metrics = TextMetrics.current
        var columns = 0
        metrics.forEachGlyph(in: text) { columns += $0.width }
        return columns
      }
    ),
    ("sanitize", { Sanitizer.text(text).utf8.count }),
  ]
  for (work, body) in works {
    let time = median(body)
    let label = name.padded(to: 10) + work.padded(to: 10)
    print(label + column(time, digits: 0) + column(time / bytes, digits: 1))
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

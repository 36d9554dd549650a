@testable import Terminal

extension FuzzTarget {
  /// What a terminal sends: keys, mouse, pastes and replies. Any cut of it gives the same events.
  /// The first bytes choose the kind of terminal and where the stream is cut.
  static let keys = FuzzTarget(
    "keys", modules: ["Terminal"], longestInput: 256, briefRuns: 30000,
    seeds: keySeeds.flatMap { [[0, 3, 11] + Array($0.utf8), [3, 5, 9] + Array($0.utf8)] }
  ) { bytes in
    var input = InputBytes(bytes)
    let choice = input.byte()
    let cuts = [Int(input.byte()), Int(input.byte())].sorted()
    let stream = Array(input.rest)
    let unusual: [InputParser.KeySequence] = [
      ([0x1B, 0x5B, 0x41], KeyPress(.down)), ([0x1B, 0x4F, 0x42], KeyPress(.up)),
      ([0x1B, 0x78], KeyPress(.end)), ([0x1B, 0x5B, 0x32, 0x24], KeyPress(.insert, .shift)),
    ]
    var parser = InputParser(keySequences: choice & 1 == 1 ? unusual : [])
    parser.outstandingQueries = choice & 2 == 2 ? 1 : 0
    let whole = events(of: stream, with: parser, cutAt: [])
    let cut = events(of: stream, with: parser, cutAt: cuts)
    let single = events(of: stream, with: parser, cutAt: Array(stream.indices))
    try require(cut == whole, "cut at \(cuts): \(cut), whole: \(whole)")
    try require(single == whole, "byte by byte: \(single), whole: \(whole)")
    var probe = CapabilityProbe()
    for reply in whole.replies { probe.note(reply) }
    for size in [probe.result.cellPixelSize, probe.windowPixelSize].compactMap({ $0 }) {
      try require(!size.isEmpty && size.area != nil, "a size of \(size)")
    }
    for mode in PictureMode.allCases {
      _ = mode.painter?.isSupported(by: probe.result, environment: [:])
    }
    for case .mouse(let event) in whole.events {
      try require(event.position.x >= 0 && event.position.y >= 0, "a mouse at \(event.position)")
    }
  }

  /// All that comes of the stream and of the silence after it.
  private static func events(
    of stream: [UInt8], with parser: InputParser, cutAt cuts: [Int]
  ) -> InputParser.Output {
    var parser = parser
    var output = InputParser.Output()
    var start = 0
    for end in cuts.filter({ $0 <= stream.count }) + [stream.count] {
      let part = parser.feed(stream[start..<end])
      output.events += part.events
      output.replies += part.replies
      start = end
    }
    let last = parser.flush()
    output.events += last.events
    output.replies += last.replies
    return output
  }

  private static let keySeeds = [
    "jk\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[15~\u{1B}[3;2~\u{1B}",
    "\u{1B}[<0;10;5M\u{1B}[<65;999999999999;1m\u{1B}[M !!",
    "\u{1B}[200~pasted\r\ntext\u{1B}[201~x\u{1B}[200~a\u{1B}[200~\u{0}b\u{1B}[201~",
    "\u{1B}[97;5u\u{1B}[57399u\u{1B}[99999999999u\u{1B}[27;2;65~",
    "\u{1B}[?62;4;22c\u{1B}P>|kitty(0.30.1)\u{1B}\\\u{1B}[6;20;10t\u{1B}[4;99999999;99999999t\u{1B}[?2026;2$y",
    "\u{1B}]11;rgb:ffff/-f/0\u{1B}\\\u{1B}P1$r48:2::1:2:3m\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[1;3R\u{1B}[1;3R",
    "é漢🌊\u{1B}é\u{1B}[[A\u{1B}[24$\u{1B}[a\u{1B}O5a\u{1B}[Z",
    "\u{1B}[3;4R\u{1B}[1;2R\u{1B}[R\u{1B}[;;;;M",
  ]
}

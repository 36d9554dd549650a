import BenchmarkPictures
import FoundationEssentials
import Geometry
import Glibc
import Pixels
import Terminal

/// How long pictures in block characters take, and how near they come to what they show, beside
/// chafa and timg where those are installed. 2,000 pictures a run by default. What is compared are
/// three photographs of the folder that `--photographs` names and three drawn ones, or without it
/// the six that come with the program; and then the pictures of a folder, where one is named.

func complain(_ text: String) {
  let line = Array("SymbolsBenchmark: \(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

let usage = """
  usage: SymbolsBenchmark [--rounds N] [--photographs FOLDER] [--pictures FOLDER]
                          [--only time|likeness]
  """
var rounds = 2_000
var photographs: String?
var folder: String?
var only: String?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  let value = words.popFirst()
  switch (word, value) {
  case ("--rounds", let value?) where Int(value).map { $0 > 0 } == true: rounds = Int(value) ?? 1
  case ("--photographs", let value?): photographs = value
  case ("--pictures", let value?): folder = value
  case ("--only", let value?) where ["time", "likeness"].contains(value): only = value
  case ("--help", nil):
    print(usage)
    exit(0)
  default:
    complain("not known: \(word) \(value ?? "")\n\(usage)")
    exit(64)
  }
}

let (bundled, found) = TestPicture.all(folder: folder)
guard bundled.count == 6 else {
  complain("to be run in the project's folder: \(bundled.count) pictures found")
  exit(66)
}

// MARK: Time

/// Every result goes here and is printed, so that none is optimised away.
var checksum = 0

@MainActor func report(_ name: String, rounds: Int, _ body: @MainActor () -> Canvas) async {
  await report(name, rounds: rounds) { Int(body()[0, 0].scalars.0) }
}

@MainActor func report(_ name: String, rounds: Int, _ body: @MainActor () async -> Int) async {
  let clock = ContinuousClock()
  for _ in 0..<(rounds / 4 + 1) { checksum &+= await body() }
  var runs: [Double] = []
  for _ in 0..<5 {
    let time = await clock.measure {
      for _ in 0..<rounds { checksum &+= await body() }
    }
    let parts = time.components
    runs.append((Double(parts.seconds) * 1e6 + Double(parts.attoseconds) / 1e12) / Double(rounds))
  }
  runs.sort()
  let padded = name + String(repeating: " ", count: max(0, 48 - name.count))
  func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
  print("\(padded) median \(tenths(runs[2])) µs  min \(tenths(runs[0]))  max \(tenths(runs[4]))")
}

if only != "likeness" {
  let area = Size(width: 40, height: 12)
  let picture = bundled[0].pixels.scaled(to: PixelSize(width: 640, height: 384))
  let thumbnail = picture.scaled(to: SymbolRasterizer.sampleSize(of: area))
  let avatar = picture.scaled(to: PixelSize(width: 96, height: 96))
  for (name, style) in [
    ("24-bit", SymbolStyle.trueColor), ("256 colours", .indexed256),
    ("24-bit, no lower blocks", SymbolStyle(depth: .trueColor, drawsLowerBlocks: false)),
  ] {
    await report("40x12 cells from a thumbnail, \(name)", rounds: rounds) {
      SymbolRasterizer.canvas(for: thumbnail, size: area, style: style)
    }
  }
  await report("40x12 cells from 640x384, scaling included", rounds: rounds / 10 + 1) {
    SymbolRasterizer.canvas(for: picture, size: area, style: .trueColor)
  }
  await report("avatar, 8x4 cells from 96x96, in a circle", rounds: rounds) {
    SymbolRasterizer.canvas(
      for: avatar, size: Size(width: 8, height: 4), style: .trueColor, mask: .circle)
  }
  // As they are made for terminals that draw pictures themselves.
  let photograph = bundled[0].pixels.scaled(to: PixelSize(width: 400, height: 300))
  let symbols = SymbolStyle.trueColor
  let place = Size(width: 50, height: 19)
  for (name, method) in [
    ("sixels", PictureMethod(.sixel, cell: GlyphScreen.cell, symbols: symbols)),
    ("kitty", PictureMethod(.kitty, cell: GlyphScreen.cell, symbols: symbols)),
    ("iTerm2", PictureMethod(.iterm2, cell: GlyphScreen.cell, symbols: symbols)),
  ] {
    let renderer = PictureRenderer(method: method)
    await report("50x19 cells from 400x300, \(name)", rounds: rounds / 100 + 1) {
      await renderer.picture(of: photograph, size: place).byteCount
    }
  }
  print("checksum \(checksum)\n")
}

// MARK: Likeness

struct Drawing {
  let name: String
  /// nil where it cannot be had.
  let draw: (PixelBuffer, Size, String) -> GlyphScreen?
}

func own(_ name: String, _ style: SymbolStyle) -> Drawing {
  Drawing(name: name) { picture, size, _ in
    GlyphScreen(SymbolRasterizer.canvas(for: picture, size: size, style: style))
  }
}

var drawings = [
  own("tideline", .trueColor),
  own("no lower blocks", SymbolStyle(depth: .trueColor, drawsLowerBlocks: false)),
  own("256 colours", .indexed256),
]
for rival in Rival.all {
  drawings.append(
    Drawing(name: rival.name) { _, size, path in
      rival.print(path, size: size).map { GlyphScreen(printed: $0, size: size) }
    })
}

func figure(_ likeness: Likeness?) -> String {
  guard let likeness else { return "–" }
  let decibels = (likeness.decibels * 10).rounded() / 10
  let hundredths = Int((likeness.similarity * 100).rounded())
  return "\(decibels) .\(hundredths < 10 ? "0" : "")\(hundredths)"
}

@MainActor func show(_ pictures: [TestPicture], _ title: String, path: String) {
  for size in [(40, 12), (60, 20), (100, 30)].map({ Size(width: $0, height: $1) }) {
    let box = PixelSize(
      width: size.width * GlyphScreen.cell.width, height: size.height * GlyphScreen.cell.height)
    var sums = drawings.map { _ in (decibels: 0.0, similarity: 0.0, count: 0) }
    var rows: [[String]] = [["\(title), \(size.width)x\(size.height)"] + drawings.map(\.name)]
    for picture in pictures {
      let wanted = picture.pixels.scaled(to: box)
      // Larger than what is shown, so that everybody scales by themselves.
      let source = picture.pixels.scaled(
        to: PixelSize(width: box.width * 2, height: box.height * 2))
      let png = source.png
      guard FileManager.default.createFile(atPath: path, contents: Data(png)) else { continue }
      var row = [picture.name]
      for (index, drawing) in drawings.enumerated() {
        guard var screen = drawing.draw(source, size, path) else {
          row.append("–")
          continue
        }
        let likeness = Likeness(of: screen.pixels(), to: wanted)
        sums[index].decibels += likeness.decibels
        sums[index].similarity += likeness.similarity
        sums[index].count += 1
        row.append(figure(likeness) + (screen.unknown > 0 ? " (\(screen.unknown)?)" : ""))
      }
      rows.append(row)
    }
    let means = sums.map { sum -> String in
      guard sum.count == pictures.count else { return "–" }
      let count = Double(sum.count)
      return figure(
        Likeness(decibels: sum.decibels / count, similarity: sum.similarity / count))
    }
    rows.append(["mean"] + means)
    for row in rows {
      print(
        row.enumerated().map { column, text in
          let width = column == 0 ? 28 : 17
          return text + String(repeating: " ", count: max(1, width - text.count))
        }.joined())
    }
    print("")
  }
}

if only != "time" {
  let path = FileManager.default.temporaryDirectory.path + "/symbols-benchmark-\(getpid()).png"
  defer { unlink(path) }
  if let photographs {
    let named = TestPicture.named(photographs: photographs)
    if named.count < 6 { complain("not all photographs are in \(photographs)") }
    show(named, "named", path: path)
  } else {
    show(bundled, "bundled", path: path)
  }
  if !found.isEmpty { show(found, "found", path: path) }
}

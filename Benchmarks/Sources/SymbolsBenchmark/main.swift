import Geometry
import Glibc
import Pixels
import Terminal

/// Times the drawing of pictures in blocks, and how near they come to what they show.
/// `SymbolsBenchmark [ROUNDS]`: pictures a run, 2,000 by default.

/// A picture with slow gradients, edges and fine grain, the same on every machine.
func testPicture(_ size: PixelSize) -> PixelBuffer {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(size.width * size.height * 4)
  var noise: UInt32 = 1
  for y in 0..<size.height {
    for x in 0..<size.width {
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let grain = Int(noise >> 28)
      let isLand = y * 3 > size.height * 2 - (x * 7 % 60)
      let light = y * 160 / size.height
      bytes.append(UInt8(min(255, (isLand ? 90 : 40 + light) + grain)))
      bytes.append(UInt8(min(255, (isLand ? 70 + x * 100 / size.width : 90 + light / 2) + grain)))
      bytes.append(UInt8(min(255, (isLand ? 40 : 200 - light / 2) + grain)))
      bytes.append(255)
    }
  }
  return PixelBuffer(size: size, bytes: bytes)
}

/// Mean squared error of the canvas against the picture at two by two pixels a cell, as decibels.
func signalToNoise(_ canvas: Canvas, _ picture: PixelBuffer) -> Double {
  let grid = PixelSize(width: canvas.size.width * 2, height: canvas.size.height * 2)
  let pixels = picture.scaled(to: grid).bytes
  let blocks = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value))
  var sum = 0.0
  for y in 0..<grid.height {
    for x in 0..<grid.width {
      let cell = canvas[x / 2, y / 2]
      let pattern = blocks.firstIndex(of: cell.scalars.0) ?? 0
      let isSet = pattern >> ((y & 1) * 2 + (x & 1)) & 1 == 1
      guard let shown = (isSet ? cell.style.foreground : cell.style.background).rgb else {
        continue
      }
      let index = (y * grid.width + x) * 4
      for (offset, part) in [shown.red, shown.green, shown.blue].enumerated() {
        let difference = Double(part) - Double(pixels[index + offset])
        sum += difference * difference
      }
    }
  }
  let error = sum / Double(grid.width * grid.height * 3)
  return 10 * log10(255 * 255 / max(error, 1e-9))
}

/// Every result goes here and is printed, so that none is optimised away.
var checksum = 0

@MainActor func report(_ name: String, rounds: Int, _ body: () -> Canvas) {
  let clock = ContinuousClock()
  for _ in 0..<(rounds / 4 + 1) { checksum &+= body().cells.count }
  var runs: [Double] = []
  for _ in 0..<5 {
    let time = clock.measure {
      for _ in 0..<rounds { checksum &+= Int(body()[0, 0].scalars.0) }
    }
    let parts = time.components
    runs.append((Double(parts.seconds) * 1e6 + Double(parts.attoseconds) / 1e12) / Double(rounds))
  }
  runs.sort()
  let padded = name + String(repeating: " ", count: max(0, 40 - name.count))
  func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
  print("\(padded) median \(tenths(runs[2])) µs  min \(tenths(runs[0]))  max \(tenths(runs[4]))")
}

let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 2000
let area = Size(width: 40, height: 12)
let picture = testPicture(PixelSize(width: 640, height: 384))
let thumbnail = picture.scaled(to: PixelSize(width: area.width * 2, height: area.height * 2))
let avatar = testPicture(PixelSize(width: 96, height: 96))

for depth in [ColorDepth.trueColor, .indexed256] {
  report("40x12 cells from a thumbnail, \(depth)", rounds: rounds) {
    SymbolRasterizer.canvas(for: thumbnail, size: area, depth: depth)
  }
  let canvas = SymbolRasterizer.canvas(for: thumbnail, size: area, depth: depth)
  print("  signal to noise \(signalToNoise(canvas, thumbnail).rounded()) dB")
}
report("40x12 cells from 640x384, scaling included", rounds: rounds / 10) {
  SymbolRasterizer.canvas(for: picture, size: area, depth: .trueColor)
}
report("avatar, 8x4 cells from 96x96, in a circle", rounds: rounds) {
  SymbolRasterizer.canvas(
    for: avatar, size: Size(width: 8, height: 4), depth: .trueColor, mask: .circle)
}
print("checksum \(checksum)")

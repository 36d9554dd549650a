import Geometry
import Pixels

/// Draws pictures with block characters: halves, quarters and eighths of a cell.
///
/// The picture is scaled to eight by eight samples for each cell; a cell shows two colours. It is
/// divided in two as a block character allows, or not at all, whichever leaves the least squared
/// error when each part has its mean colour (`BlockPartition`).
public enum SymbolRasterizer {
  /// The part of a picture that is shown.
  public enum Mask: Hashable, Sendable {
    /// The whole picture.
    case none
    /// The ellipse that touches all sides: a circle if the area of the cells is square in pixels.
    case circle
  }

  /// The size of the scaled picture for `size` cells; a picture of this size is drawn without
  /// scaling.
  public static func sampleSize(of size: Size) -> PixelSize {
    PixelSize(width: size.width * CellSamples.side, height: size.height * CellSamples.side)
  }

  /// The picture in `size` cells, stretched to fill them. Cells and parts of cells in which it is
  /// less than half opaque keep the terminal's own background.
  ///
  /// Blank if the style's colour depth allows no pictures.
  ///
  /// - Parameter mask: the part that is shown.
  /// - Complexity: O(pixels + cells).
  public static func canvas(
    for picture: PixelBuffer, size: Size, style: SymbolStyle, mask: Mask = .none
  ) -> Canvas {
    var canvas = Canvas(size: size)
    guard style.depth.allowsPictures, !size.isEmpty, !picture.size.isEmpty else { return canvas }
    let scaled = picture.scaled(to: sampleSize(of: size))
    let samples = mask == .circle ? scaled.maskedToEllipse() : scaled
    let palette = style.depth == .indexed256 ? DitheredPalette() : nil
    samples.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      let stride = samples.size.width * 4
      canvas.cells.withUnsafeMutableBufferPointer { cells in
        let artist = CellRasterizer(style: style, palette: palette)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let cell = start + y * CellSamples.side * stride + x * CellSamples.side * 4
            cells[y * size.width + x] = artist.cell(cell, stride: stride, x: x, y: y)
          }
        }
      }
    }
    return canvas
  }
}

/// Turns the samples of one cell into a character and its colours.
private struct CellRasterizer {
  private let style: SymbolStyle
  private let palette: DitheredPalette?
  private let partitions: ArraySlice<BlockPartition>

  /// The largest invisible squared error over all samples, some two levels each. A cell that gains
  /// no more by a partition is a blank, which takes fewer bytes.
  private static let unseen = 320.0

  init(style: SymbolStyle, palette: DitheredPalette?) {
    self.style = style
    self.palette = palette
    let all = BlockPartition.all
    partitions = style.drawsLowerBlocks ? all[...] : all.prefix(BlockPartition.commonCount)
  }

  /// - Parameter start: the cell's first sample; rows of samples are `stride` bytes apart.
  func cell(_ start: UnsafeRawPointer, stride: Int, x: Int, y: Int) -> CanvasCell {
    let samples = CellSamples(start, stride: stride)
    if samples.isOpaque { return whole(samples, x: x, y: y) }
    let seen = Self.opaque(start, stride: stride)
    if seen == .max { return whole(samples, x: x, y: y) }
    return part(start, stride: stride, seen: seen, x: x, y: y)
  }

  private func whole(_ samples: CellSamples, x: Int, y: Int) -> CanvasCell {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BlockPartition.all.count) { sums in
      BlockPartition.sums(of: samples, into: sums)
      return partitions.withUnsafeBufferPointer { partitions in
        var best = Self.unseen
        var chosen = -1
        for index in partitions.indices {
          let gain = partitions[index].gain(sums[index], all: samples.all)
          if gain > best { (best, chosen) = (gain, index) }
        }
        guard chosen >= 0 else {
          return blank(color(CellSamples.mean(samples.all, count: 64), x: x, y: y))
        }
        let partition = partitions[chosen]
        let group = CellSamples.mean(sums[chosen], count: partition.count)
        let rest = CellSamples.mean(
          samples.all &- sums[chosen], count: 64 &- partition.count)
        let foreground = color(partition.isGroup ? group : rest, x: x, y: y)
        let background = color(partition.isGroup ? rest : group, x: x + 2, y: y + 1)
        if foreground == background { return blank(background) }
        return CanvasCell(
          CellCode(scalar: partition.scalar),
          style: Style(foreground: foreground, background: background), width: 1)
      }
    }
  }

  /// Draws the visible samples in one colour, over the terminal's own background.
  private func part(
    _ start: UnsafeRawPointer, stride: Int, seen: UInt64, x: Int, y: Int
  ) -> CanvasCell {
    let shape = BlockShape.nearest(to: seen, withLower: style.drawsLowerBlocks)
    let counted = shape.samples & seen
    guard counted != 0 else { return CanvasCell() }
    var sum = SIMD4<Int32>()
    for sample in 0..<64 where counted >> UInt64(sample) & 1 == 1 {
      let at = start + sample / 8 * stride + sample % 8 * 4
      let pixel = at.loadUnaligned(as: UInt32.self)
      sum &+= SIMD4(
        Int32(pixel & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel >> 16 & 0xFF), 0)
    }
    let count = Int32(counted.nonzeroBitCount)
    let mean = color((sum &+ count / 2) / count, x: x, y: y)
    if shape.samples == .max { return blank(mean) }
    return CanvasCell(
      CellCode(scalar: shape.scalar), style: Style(foreground: mean), width: 1)
  }

  private func blank(_ color: Color) -> CanvasCell {
    CanvasCell(" ", style: Style(background: color))
  }

  /// The samples that are at least half opaque.
  private static func opaque(_ start: UnsafeRawPointer, stride: Int) -> UInt64 {
    var samples: UInt64 = 0
    for row in 0..<8 {
      for column in 0..<8
      where (start + row * stride + column * 4 + 3).load(as: UInt8.self) >= 128 {
        samples |= 1 << UInt64(row * 8 + column)
      }
    }
    return samples
  }

  private func color(_ value: SIMD4<Int32>, x: Int, y: Int) -> Color {
    if let palette { return palette.color(value, x: x, y: y) }
    return .rgb(
      UInt8(truncatingIfNeeded: value.x), UInt8(truncatingIfNeeded: value.y),
      UInt8(truncatingIfNeeded: value.z))
  }
}

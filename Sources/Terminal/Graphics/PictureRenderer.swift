import Geometry
import Pixels
import Synchronization

/// Renders pictures for a screen, by the method of its terminal. May be used on any thread.
///
///     pixels ──▶ symbols ──────────────────────────────▶ cells
///           └──▶ sixel bands or a PNG ───▶ shelf ──▶ cells that refer to its parts; the screen
///                                                    sends the shelf's data when it shows them
public final class PictureRenderer: Sendable {
  /// The most pixels of a picture that the terminal draws: enough for a screen of 7,680 by 4,320.
  /// Larger pictures are drawn as symbols.
  static let pixelLimit = 1 << 25
  /// The most pixels of such a picture on a side: the buffer in which sixels are encoded grows with
  /// the width alone.
  static let sideLimit = 1 << 14

  private let current: Mutex<PictureMethod>
  let shelf = GraphicRegistry()

  /// A renderer that belongs to no screen and uses `method`.
  public init(method: PictureMethod) { current = Mutex(method) }

  /// The current method: the size of the terminal's cells may change.
  public internal(set) var method: PictureMethod {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// `pixels` stretched over `size` cells and cut to `mask`; blank if the method draws no pictures.
  ///
  /// - Complexity: O(pixels of the source and of the result); up to some 20 ms, too long for the
  ///   main actor.
  public func picture(
    of pixels: PixelBuffer, size: Size, mask: SymbolRasterizer.Mask = .none
  ) -> Picture {
    let method = method
    guard !size.isEmpty, !pixels.size.isEmpty else {
      return Picture(cells: Canvas(size: size), method: method)
    }
    switch method {
    case .none: return Picture(cells: Canvas(size: size), method: method)
    case .symbols(let style): return symbols(pixels, size, style, mask, method)
    case .sixel(let cell, let background, let style):
      guard let box = Self.box(of: cell, times: size) else {
        return symbols(pixels, size, style, mask, method)
      }
      let drawn = Self.cut(pixels.scaled(to: box), to: mask)
      let sixel = SixelPicture(drawn, cell: cell, background: background, symbols: style)
      return Picture(size: size, method: method, lease: shelf.put(.sixel(sixel)))
    case .kitty(let cell, let style):
      guard let drawn = Self.pixels(of: pixels, asSentFor: cell, size, mask) else {
        return symbols(pixels, size, style, mask, method)
      }
      return kitty(drawn, png: PNGEncoder.png(drawn), size, method)
    }
  }

  /// The same as ``picture(of:size:mask:)``, off any actor; another thread may do a part of the
  /// work.
  ///
  /// - Complexity: O(pixels of the source and of the result).
  @concurrent public func makePicture(
    of pixels: PixelBuffer, size: Size, mask: SymbolRasterizer.Mask = .none
  ) async -> Picture {
    let method = method
    guard case .kitty(let cell, _) = method, !size.isEmpty, !pixels.size.isEmpty,
      let drawn = Self.pixels(of: pixels, asSentFor: cell, size, mask)
    else { return picture(of: pixels, size: size, mask: mask) }
    return kitty(drawn, png: await PNGEncoder.makePNG(of: drawn), size, method)
  }

  private func kitty(
    _ drawn: PixelBuffer, png: [UInt8]?, _ size: Size, _ method: PictureMethod
  ) -> Picture {
    let kitty = KittyPicture(drawn, png: png, size: size)
    return Picture(size: size, method: method, lease: shelf.put(.kitty(kitty)))
  }

  /// The pixels to send to a terminal with placeholders; `nil` if the picture is too large for it.
  private static func pixels(
    of pixels: PixelBuffer, asSentFor cell: PixelSize, _ size: Size, _ mask: SymbolRasterizer.Mask
  ) -> PixelBuffer? {
    guard size.width <= KittyPlaceholder.limit, size.height <= KittyPlaceholder.limit,
      let whole = box(of: cell, times: size)
    else { return nil }
    return cut(pixels.scaled(to: box(for: pixels.size, in: whole)), to: mask)
  }

  private func symbols(
    _ pixels: PixelBuffer, _ size: Size, _ style: SymbolStyle, _ mask: SymbolRasterizer.Mask,
    _ method: PictureMethod
  ) -> Picture {
    Picture(
      cells: SymbolRasterizer.canvas(for: pixels, size: size, style: style, mask: mask),
      method: method)
  }

  private static func cut(_ pixels: PixelBuffer, to mask: SymbolRasterizer.Mask) -> PixelBuffer {
    mask == .circle ? pixels.maskedToEllipse() : pixels
  }

  /// The size in pixels of `size` cells; `nil` if it is empty or more than the terminal may draw.
  private static func box(of cell: PixelSize, times size: Size) -> PixelSize? {
    let (width, isTooWide) = size.width.multipliedReportingOverflow(by: cell.width)
    let (height, isTooHigh) = size.height.multipliedReportingOverflow(by: cell.height)
    let box = PixelSize(width: width, height: height)
    guard !isTooWide, !isTooHigh, !box.isEmpty, max(width, height) <= sideLimit,
      let area = box.area, area <= pixelLimit
    else { return nil }
    return box
  }

  /// The smallest size with the proportions of `whole` that loses no pixels of the picture, at most
  /// `whole`: the terminal enlarges by itself.
  private static func box(for source: PixelSize, in whole: PixelSize) -> PixelSize {
    let (width, height) = (whole.width, whole.height)
    let scale = min(
      1, max(Double(source.width) / Double(width), Double(source.height) / Double(height)))
    return PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
  }
}

extension PixelBuffer {
  /// A copy in which everything outside the inscribed ellipse is transparent, with a smooth edge.
  ///
  /// - Complexity: O(pixels).
  func maskedToEllipse() -> PixelBuffer {
    let (radiusX, radiusY) = (Double(size.width) / 2, Double(size.height) / 2)
    let radius = min(radiusX, radiusY)
    var masked = bytes
    for y in 0..<size.height {
      let dy = (Double(y) + 0.5) / radiusY - 1
      for x in 0..<size.width {
        let dx = (Double(x) + 0.5) / radiusX - 1
        let coverage = (1 - (dx * dx + dy * dy).squareRoot()) * radius + 0.5
        guard coverage < 1 else { continue }
        let index = (y * size.width + x) * 4 + 3
        masked[index] = UInt8((Double(masked[index]) * max(0, coverage)).rounded())
      }
    }
    return PixelBuffer(size: size, bytes: masked)
  }
}

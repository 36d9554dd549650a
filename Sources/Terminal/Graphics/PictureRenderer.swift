import Geometry
import Pixels
import Synchronization

/// Renders pictures for a screen, by the method of its terminal. May be used on any thread.
///
///     pixels ──▶ painter ──▶ cells
///                       └──▶ graphic ──▶ registry ──▶ cells that refer to its parts; the screen
///                                                     sends the registry's data when it shows them
public final class PictureRenderer: Sendable {
  private let current: Mutex<PictureMethod>
  let shelf = GraphicRegistry()

  /// A renderer that belongs to no screen and uses `method`.
  public init(method: PictureMethod) { current = Mutex(method) }

  /// The current method. It changes with the size of the terminal's cells, and with answers that
  /// come after the screen was opened.
  public internal(set) var method: PictureMethod {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// `pixels` stretched over `size` cells and cut to `mask`; blank if the method draws no pictures.
  /// Runs off any actor; another thread may do a part of the work.
  ///
  /// - Complexity: O(pixels of the source and of the result).
  @concurrent public func picture(
    of pixels: PixelBuffer, size: Size, mask: SymbolRasterizer.Mask = .none
  ) async -> Picture {
    let source = PictureSource(pixels: pixels, size: size, mask: mask, method: method)
    guard !size.isEmpty, !pixels.size.isEmpty, let painter = source.method.painter else {
      return Picture(cells: Canvas(size: size), method: source.method)
    }
    switch await painter.encode(source) ?? .cells(SymbolPainter.cells(of: source)) {
    case .cells(let cells): return Picture(cells: cells, method: source.method)
    case .graphic(let graphic):
      return Picture(size: size, method: source.method, lease: shelf.put(graphic))
    }
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

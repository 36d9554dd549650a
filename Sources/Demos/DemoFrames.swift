import HTTP
import ImageLoading
import Pictures
import Pixels
import TerminalViews
import TimelineUI

/// Lays out the rows of a demo without a terminal and without a network, with the cells that the
/// screen uses.
@MainActor package struct DemoFrames {
  private let rows: any DemoRows
  /// One cell for all rows, reused as in the list.
  private let cell: BaseCell
  private let decoder: any ImageDecoder
  private var sizes: [String: PixelSize] = [:]

  /// - Parameter decoder: reads the sizes of bundled pictures.
  /// - Throws: `DemoContentError` if the bundled content cannot be read.
  package init(_ demo: Demo, options: DemoOptions, decoder: any ImageDecoder) throws {
    self.decoder = decoder
    let loader = ImageLoader(
      configuration: demo.loaderConfiguration, transport: Unconnected(), decoder: decoder)
    rows = try demo.rows(
      pictures: PictureStore(loader: loader, depth: .none), options: options)
    cell = rows.makeCell()
  }

  package var rowCount: Int { rows.rowCount }

  /// Lays out a row at `width` columns.
  ///
  /// - Parameters:
  ///   - row: `0..<rowCount`.
  ///   - isPending: true for the layout before the row's picture arrives, false for the one after.
  /// - Throws: `DemoContentError` if its picture cannot be read.
  package mutating func layout(row: Int, width: Int, isPending: Bool) throws -> RowLayout {
    cell.prepareForReuse()
    rows.show(row: row, in: cell)
    if !isPending, let url = cell.slot.url, let size = try size(of: url) {
      cell.pictureSizeArrived(size)
    }
    let height = rows.height(ofRow: row, width: width) ?? cell.heightThatFits(width: width)
    cell.layout(width: width, height: max(0, height))
    return RowLayout(row: row, cell: cell)
  }

  private mutating func size(of url: String) throws -> PixelSize? {
    if let known = sizes[url] { return known }
    let size = try DemoPicture.path(of: url).flatMap(DemoPicture.init(path:))?.size(
      decoder: decoder)
    sizes[url] = size
    return size
  }
}

/// A transport that sends nothing: every request is cancelled at once.
package struct Unconnected: HTTPTransport {
  package init() {}

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    throw .cancelled
  }
}

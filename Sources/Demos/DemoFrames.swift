import HTTP
import ImageLoading
import Pictures
import Pixels
import TerminalViews
import TimelineUI

/// The rows of a demo laid out without a terminal and without a network, by the cells that the
/// screen shows.
@MainActor public struct DemoFrames {
  private let rows: any DemoRows
  /// One cell for all rows, used again as the list does.
  private let cell: BaseCell
  private let decoder: any ImageDecoder
  private var sizes: [String: PixelSize] = [:]

  /// - Parameter decoder: tells the sizes of bundled pictures.
  /// - Throws: `DemoContentError` where the bundled content cannot be read.
  public init(_ demo: Demo, options: DemoOptions, decoder: any ImageDecoder) throws {
    self.decoder = decoder
    let loader = ImageLoader(
      configuration: demo.loaderConfiguration, transport: Unconnected(), decoder: decoder)
    rows = try demo.rows(
      pictures: PictureStore(loader: loader, depth: .none), options: options)
    cell = rows.makeCell()
  }

  public var rowCount: Int { rows.rowCount }

  /// A row at `width` columns.
  ///
  /// - Parameters:
  ///   - row: `0..<rowCount`.
  ///   - isPending: as before its picture arrives; else as after.
  /// - Throws: `DemoContentError` where its picture cannot be read.
  public mutating func layout(row: Int, width: Int, isPending: Bool) throws -> RowLayout {
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

/// Sends nothing: whatever is asked for ends at once.
package struct Unconnected: HTTPTransport {
  package init() {}

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    throw .cancelled
  }
}

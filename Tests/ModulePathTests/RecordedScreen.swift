import ConstraintLayout
import Geometry
import HTTP
import ImageLoading
import Pixels
import Terminal
import TerminalViews
import TimelineStore
import TimelineUI

@testable import Pictures
@testable import TerminalApp

/// A timeline on a screen without a terminal, with a note of the way of whatever comes in and goes
/// out.
@MainActor final class RecordedScreen {
  let record: PathRecord
  let application: TerminalApplication
  let screen: ListScreen
  let pictures: PictureStore
  private let display: RecordedDisplay
  private let scheduler = MainQueueScheduler(isManual: true)

  /// - Parameter reader: where the posts come from.
  init(_ reader: any PostReader, record: PathRecord) async throws {
    self.record = record
    let transport = RecordedTransport(record)
    let store = TimelineStore(
      reader: RecordedReader(reader: reader, record: record), isImmediate: true)
    try await store.open()
    pictures = PictureStore(
      loader: ImageLoader(transport: transport, decoder: RecordedDecoder(record: record)),
      depth: .trueColor)
    let content = PostListContent(
      store: store, source: "posts", pictures: pictures, clock: .fixed(at: 0))
    screen = ListScreen(content: RecordedContent(content, record))
    display = RecordedDisplay(size: Size(width: 60, height: 20), record)
    application = TerminalApplication(screen, display: display, scheduler: scheduler)
    application.add(pictures)
    application.begin()
  }

  /// Draws, and does what waits to be done.
  func run() { scheduler.run() }

  /// Has the application take these events, and draws.
  func send(_ events: [InputEvent]) {
    application.handle(events)
    scheduler.run()
  }

  var text: String {
    (0..<display.shown.size.height).map { display.shown.text(row: $0) }.joined(separator: "\n")
  }

  /// Whether a cell of the list shows a picture.
  var hasPicture: Bool {
    guard let rows = screen.listView.visibleRows else { return false }
    return rows.contains { row in
      screen.listView.cellForRow(at: IndexPath(row: row)).map(Self.hasPicture) ?? false
    }
  }

  private static func hasPicture(_ item: LayoutItem) -> Bool {
    (item as? ImageView)?.image != nil || item.subitems.contains(where: hasPicture)
  }
}

@MainActor private final class RecordedDisplay: Display {
  let size: Size
  private(set) var shown: Canvas
  let colors = TerminalColors()
  let colorDepth = ColorDepth.trueColor
  let showsWholeFrames = false
  let bytesWritten = 0
  var reportsMouse = true
  private let record: PathRecord

  init(size: Size, _ record: PathRecord) {
    self.size = size
    self.record = record
    shown = Canvas(size: size)
  }

  func start(onEvents: @escaping @MainActor ([InputEvent]) -> Void) {}

  func present(_ canvas: inout Canvas, cursor: Point?, showsCursor: Bool) {
    record.note("frame")
    swap(&shown, &canvas)
  }

  func willShowMove(goesOn: Bool) {}
  func invalidate() {}
  func suspend() {}
  var shownCanvas: Canvas? { shown }
  func copy(_ text: String) -> Bool { false }
}

private struct RecordedReader: PostReader {
  let reader: any PostReader
  let record: PathRecord

  func next() async throws(SourceError) -> SourceReader.Batch? {
    record.note("posts")
    return try await reader.next()
  }
}

/// Answers every request with a few bytes.
private struct RecordedTransport: HTTPTransport {
  private final class Body: HTTPBodySource {
    let record: PathRecord
    let chunks: AsyncStream<[UInt8]>
    init(_ record: PathRecord) {
      self.record = record
      chunks = AsyncStream {
        $0.yield([1, 2, 3])
        $0.finish()
      }
    }
    func next() async throws(HTTPError) -> [UInt8]? {
      record.note("bytes")
      return await chunks.first { _ in true }
    }
    func cancel() {}
  }

  private let record: PathRecord
  init(_ record: PathRecord) { self.record = record }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    record.note("request")
    return (HTTPResponse(status: 200, headers: [:], url: request.url), HTTPBody(Body(record)))
  }
}

/// Takes any bytes for a picture.
private struct RecordedDecoder: ImageDecoder {
  let record: PathRecord

  func header(of prefix: [UInt8]) -> ImageHeaderResult {
    record.note("header")
    return .header(ImageHeader(format: .png, size: PixelSize(width: 40, height: 40)))
  }

  func decode(
    _ bytes: [UInt8], fitting box: PixelSize, limits: ImageLimits
  ) throws(ImageError) -> PixelBuffer {
    record.note("decode")
    return PixelBuffer(size: PixelSize(width: 40, height: 40), red: 9, green: 90, blue: 200)
  }
}

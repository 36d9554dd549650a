import System
import TerminalApp
import TerminalViews

/// Writes events about frames and rows, for measurements from outside.
@MainActor final class FrameTrace: FrameObserver {
  private unowned let listView: ListView
  private let writer: TraceWriter
  private weak var application: TerminalApplication?
  private var started = 0

  init(of listView: ListView, to writer: TraceWriter) {
    self.listView = listView
    self.writer = writer
    // From the start: panels that open later pass on what they take over.
    listView.onResize = { [writer] resize in
      writer.write(
        event: "resize",
        """
        "row":\(resize.row),"from":\(resize.from),"to":\(resize.to),\
        "anchorRow":\(resize.anchorRow),"anchorLine":\(resize.anchorLine)
        """)
    }
  }

  func begin(in application: TerminalApplication) {
    self.application = application
    application.add(self)
  }

  func frameBegins() { started = SystemClock.processorTime }

  /// `measuredRows` counts only the rows measured within frames: rows measured in idle time, for
  /// better estimates, do not delay any frame.
  func frameEnded() {
    guard let top = listView.topPosition else { return }
    let list = listView.statistics
    writer.write(
      event: "frame",
      """
      "top":{"row":\(top.row),"line":\(top.line)},"rows":\(listView.numberOfRows),\
      "visible":\(list.visibleRows),"liveCells":\(list.liveCells),\
      "createdCells":\(list.createdCells),"reusedCells":\(list.reusedCells),\
      "measuredRows":\(list.measuredRows - list.idleMeasuredRows),\
      "totalHeight":\(list.totalHeight),\
      "thumb":{"start":\(list.thumb.start),"length":\(list.thumb.length)},\
      "layoutPasses":\(list.layoutPasses),\
      "cpuMicroseconds":\(SystemClock.processorTime - started),\
      "bytes":\(application?.bytesWritten ?? 0)
      """)
  }
}

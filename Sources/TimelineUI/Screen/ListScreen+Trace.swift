import System
import TerminalViews

/// What is written for measuring from outside.
extension ListScreen {
  /// `measuredRows` are those that frames had measured: what is measured meanwhile, for better guesses,
  /// holds up none.
  func traceFrame(started: Int) {
    guard let trace, let top = listView.topPosition else { return }
    let list = listView.statistics
    trace.write(
      event: "frame",
      """
      "top":{"row":\(top.row),"line":\(top.line)},"rows":\(rowCount),\
      "visible":\(list.visibleRows),"liveCells":\(list.liveCells),\
      "createdCells":\(list.createdCells),"reusedCells":\(list.reusedCells),\
      "measuredRows":\(list.measuredRows - list.idleMeasuredRows),"totalHeight":\(list.totalHeight),\
      "thumb":{"start":\(list.thumb.start),"length":\(list.thumb.length)},\
      "layoutPasses":\(list.layoutPasses),\
      "cpuMicroseconds":\(SystemClock.processorTime - started),"bytes":\(screen.bytesWritten)
      """)
  }

  func traceResize(_ resize: ListView.RowResize) {
    trace?.write(
      event: "resize",
      """
      "row":\(resize.row),"from":\(resize.from),"to":\(resize.to),\
      "anchorRow":\(resize.anchorRow),"anchorLine":\(resize.anchorLine)
      """)
  }
}

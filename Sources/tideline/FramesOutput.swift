import ArgumentParser
import Demos
import ImageDecoding
import Logging

/// Prints the layout of a demo's rows, one JSON object a line, without a terminal.
@MainActor struct FramesOutput {
  let demo: Demo
  let command: DemoCommand

  /// The index of the last row that is printed, at most, unless rows are named.
  private static let mostRows = 999

  /// - Throws: `ValidationError` for rows that the demo does not have, `DemoContentError`,
  ///   `Failure`.
  func print() throws {
    LayoutSetup.report(to: Logger(label: "tideline"))
    var frames = try DemoFrames(demo, options: command.options, decoder: SystemImageDecoder())
    let last = frames.rowCount - 1
    let rows = command.rows ?? 0...min(last, Self.mostRows)
    guard rows.upperBound <= last else {
      throw ValidationError(
        "--rows \(rows.lowerBound)-\(rows.upperBound): the demo \(demo.rawValue) has rows 0-\(last)"
      )
    }
    let width = command.width ?? 80
    for row in rows {
      let layout = try frames.layout(row: row, width: width, isPending: command.pending)
      // The reader of standard output has closed it.
      guard try PlainOutput.write(layout.json + "\n") else { return }
    }
  }
}

import Dispatch
import Pictures

/// Measures the rows of the tweets demo a second time, by the function and by constraints, and says
/// how long each took.
///
///     frame at a new width ──▶ ten rows ▸ ten rows ▸ … ──▶ result: nothing more to do
///
/// Between the parts the main queue handles keys. A change of width begins again.
@MainActor final class MeasuringComparison {
  /// The time that all rows took, as text.
  struct Result: Hashable {
    var byFunction: String
    var byConstraints: String
  }

  private struct Run {
    let items: [TweetsDemo.Item]
    let width: Int
    var next = 0
    var byFunction = Duration.zero
    var byConstraints = Duration.zero
    var isDone: Bool { next >= items.count }
  }

  private static let rowsAtOnce = 10

  private let function: TweetCell
  private let constraints: ConstraintTweetCell
  private let time: @Sendable () -> ContinuousClock.Instant
  private var run: Run?

  /// - Parameter time: of a clock that never goes back.
  init(pictures: PictureStore, time: @escaping @Sendable () -> ContinuousClock.Instant) {
    function = TweetCell(pictures: pictures)
    constraints = ConstraintTweetCell(pictures: pictures)
    self.time = time
  }

  /// The result for rows of this width; `nil` if they are not all measured.
  func result(atWidth width: Int?) -> Result? {
    guard let run, run.isDone, run.width == width else { return nil }
    return Result(
      byFunction: Self.text(run.byFunction), byConstraints: Self.text(run.byConstraints))
  }

  /// Begins to measure, unless the rows were measured at this width.
  ///
  /// - Parameter onEnd: called with the last row.
  func begin(_ items: [TweetsDemo.Item], atWidth width: Int, onEnd: @escaping () -> Void) {
    guard run?.width != width else { return }
    let isUnderWay = run?.isDone == false
    run = Run(items: items, width: width)
    if !isUnderWay { goOn(onEnd: onEnd) }
  }

  private func goOn(onEnd: @escaping () -> Void) {
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.measureSome() else { return onEnd() }
        self.goOn(onEnd: onEnd)
      }
    }
  }

  /// - Returns: whether there is more to measure.
  private func measureSome() -> Bool {
    guard var run, !run.isDone else { return false }
    let rows = run.items[run.next...].prefix(Self.rowsAtOnce)
    let start = time()
    for item in rows {
      function.setTexts(of: item)
      _ = function.heightThatFits(width: run.width)
    }
    let middle = time()
    for item in rows {
      constraints.setTexts(of: item)
      _ = constraints.heightThatFits(width: run.width)
    }
    run.byFunction += start.duration(to: middle)
    run.byConstraints += middle.duration(to: time())
    run.next += rows.count
    self.run = run
    return !run.isDone
  }

  /// "2.4 ms".
  private static func text(_ duration: Duration) -> String {
    let tenths = Int((duration / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

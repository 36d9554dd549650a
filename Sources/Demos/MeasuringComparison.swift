import Dispatch
import Pictures

/// Measures the rows of the tweets demo again, by the function and by constraints, and times both.
///
///     frame at a new width ──▶ ten rows ▸ ten rows ▸ … ──▶ result: nothing more to do
///
/// Between these batches the main queue handles keys. A change of width starts over.
@MainActor final class MeasuringComparison {
  /// The time taken to measure all rows, as text.
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

  /// - Parameter time: the time of a monotonic clock.
  init(pictures: PictureStore, time: @escaping @Sendable () -> ContinuousClock.Instant) {
    function = TweetCell(pictures: pictures)
    constraints = ConstraintTweetCell(pictures: pictures)
    self.time = time
  }

  /// The result of the latest measurement if it is finished and of this width.
  func result(atWidth width: Int?) -> Result? {
    guard let run, run.isDone, run.width == width else { return nil }
    return Result(
      byFunction: Self.text(run.byFunction), byConstraints: Self.text(run.byConstraints))
  }

  /// Begins to measure, unless the latest measurement, finished or not, is of this width.
  ///
  /// - Parameter onEnd: called after the last row; not used if a measurement is under way, which
  ///   then calls its own.
  func begin(_ items: [TweetsDemo.Item], atWidth width: Int, onEnd: @escaping () -> Void) {
    guard run?.width != width else { return }
    let isUnderWay = run?.isDone == false
    run = Run(items: items, width: width)
    if !isUnderWay { measureRest(onEnd: onEnd) }
  }

  private func measureRest(onEnd: @escaping () -> Void) {
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.measureSome() else { return onEnd() }
        self.measureRest(onEnd: onEnd)
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
